import { useState } from 'react'
import { isWithin } from '../../shared/file-path.ts'
import type { PromptProps } from '../data/prompts.ts'
import { t } from '../i18n/i18n.tsx'
import { FolderPicker } from '../screens/files/prompts/folder-picker.tsx'
import { DialogActions } from '../widgets/dialog-actions.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** Asks for a folder; the folder that is open in the picker is the answer. */
export function ChooseFolderDialog({ title, within, onAnswer, onDismiss }: PromptProps<'choose-folder'>) {
  const [path, setPath] = useState(within)
  const outside = isWithin(path, within) ? null : t('choose-folder.outside')
  return (
    <Dialog
      title={title}
      size="wide"
      onDismiss={onDismiss}
      onSubmit={() => outside === null && onAnswer(path)}
      actions={<DialogActions onCancel={onDismiss} submit={t('choose-folder.submit')} disabledReason={outside} autoFocus />}
    >
      <FolderPicker path={path} onPath={setPath} barred={NONE} />
    </Dialog>
  )
}

const NONE: ReadonlySet<never> = new Set()

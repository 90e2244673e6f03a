import { useState } from 'react'
import { type FilePath, nameOf, ROOT } from '../../../../shared/file-path.ts'
import { isIntoItself } from '../../../data/transfer-conflicts.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useMedia } from '../../../ui/use-media.ts'
import { displayName } from '../../../widgets/display-name.ts'
import { DialogActions } from '../../../widgets/dialog-actions.tsx'
import { FolderPicker } from './folder-picker.tsx'

export function CopyDialog(props: PromptProps<'copy'>) {
  return <TransferDialog {...props} kind="copy" />
}

export function MoveDialog(props: PromptProps<'move'>) {
  return <TransferDialog {...props} kind="move" />
}

export function ExtractDialog(props: PromptProps<'extract'>) {
  return <TransferDialog {...props} kind="extract" />
}

/** Asks for the destination folder, starting in the current one, which a move does not accept. */
function TransferDialog({ kind, sources, start, onAnswer, onDismiss }: PromptProps<'copy'> & { kind: 'copy' | 'move' | 'extract' }) {
  const [path, setPath] = useState<FilePath>(start)
  const [first = ROOT] = sources
  const what = { name: displayName(nameOf(first)), count: sources.length }
  const inThere = kind === 'move' && path === start ? t('files.move.same') : isIntoItself(sources, path) ? t('files.into-itself') : null
  // A move has to choose a folder first; on touch the keyboard would cover the folders.
  const searchFirst = useMedia('(pointer: fine)') && kind === 'move'
  const submit = () => inThere === null && onAnswer(path)
  return (
    <Dialog
      title={sources.length === 1 || kind === 'extract' ? t(`files.${kind}.title.one`, what) : t(`files.${kind}.title`, what)}
      size="wide"
      onDismiss={onDismiss}
      onSubmit={submit}
      actions={<DialogActions onCancel={onDismiss} submit={t(`files.${kind}.submit`)} disabledReason={inThere} autoFocus={!searchFirst} />}
    >
      <FolderPicker path={path} onPath={setPath} barred={new Set(sources)} searchFirst={searchFirst} />
    </Dialog>
  )
}

import type { PromptProps } from '../../../data/prompts.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Details } from './details.tsx'

/** Details as a dialog, where there is no room for the pane; a bottom sheet on phones. */
export function InfoDialog({ subject, onAnswer, onDismiss }: PromptProps<'info'>) {
  return (
    <Dialog title={t('files.info.title')} size="small" closeLabel={t('action.close')} onDismiss={onDismiss}>
      <Details subject={subject} onUsage={onAnswer} />
    </Dialog>
  )
}

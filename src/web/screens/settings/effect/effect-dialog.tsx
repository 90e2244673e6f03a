import type { PromptProps } from '../../../data/prompts.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogActions } from '../../../widgets/dialog-actions.tsx'
import { EffectText } from './effect-text.tsx'

/** Asks before a membership is changed, and says what that would open and close. */
export function EffectDialog({ title, confirmLabel, change, onAnswer, onDismiss }: PromptProps<'effect'>) {
  return (
    <Dialog
      title={title}
      onDismiss={onDismiss}
      onSubmit={() => onAnswer(true)}
      actions={<DialogActions onCancel={onDismiss} submit={confirmLabel} autoFocus />}
    >
      <EffectText change={change} />
    </Dialog>
  )
}

import type { PromptProps } from '../data/prompts.ts'
import { DialogActions } from '../widgets/dialog-actions.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** Enter says yes, except to what cannot be undone: there it does so only on the button itself, and Cancel has the focus (decision 040). */
export function ConfirmDialog({ title, text, confirmLabel, danger = false, offer, onAnswer, onDismiss }: PromptProps<'confirm'>) {
  const confirm = () => onAnswer(true)
  return (
    <Dialog
      title={title}
      description={text}
      size="small"
      onDismiss={onDismiss}
      onSubmit={danger ? undefined : confirm}
      actions={<DialogActions onCancel={onDismiss} submit={confirmLabel} autoFocus onDanger={danger ? confirm : undefined} />}
    >
      {offer !== undefined && <Button label={offer} size="small" onClick={() => onAnswer('offer')} />}
    </Dialog>
  )
}

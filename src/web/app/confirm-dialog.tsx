import type { PromptProps } from '../data/prompts.ts'
import { t } from '../i18n/i18n.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** Enter says yes, except to what cannot be undone: there it does so only on the button itself, and Cancel has the focus (decision 040). */
export function ConfirmDialog({ title, text, confirmLabel, danger = false, onAnswer, onDismiss }: PromptProps<'confirm'>) {
  const confirm = () => onAnswer(true)
  return (
    <Dialog
      title={title}
      description={text}
      size="small"
      onDismiss={onDismiss}
      onSubmit={danger ? undefined : confirm}
      actions={
        <>
          <Button variant="quiet" onClick={onDismiss} data-autofocus={danger || undefined}>
            {t('action.cancel')}
          </Button>
          {danger ? (
            <Button variant="danger" onClick={confirm}>
              {confirmLabel}
            </Button>
          ) : (
            <Button type="submit" variant="primary" data-autofocus>
              {confirmLabel}
            </Button>
          )}
        </>
      }
    />
  )
}

import type { PromptProps } from '../data/prompts.ts'
import { t } from '../i18n/i18n.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

export function ConfirmDialog({ title, text, confirmLabel, danger, onAnswer, onDismiss }: PromptProps<'confirm'>) {
  return (
    <Dialog
      title={title}
      description={text}
      size="small"
      onDismiss={onDismiss}
      onSubmit={() => onAnswer(true)}
      actions={
        <>
          <Button variant="quiet" onClick={onDismiss}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} data-autofocus>
            {confirmLabel}
          </Button>
        </>
      }
    />
  )
}

import { t } from '../i18n/i18n.tsx'
import { Button } from '../ui/button.tsx'

export interface DialogActionsProps {
  onCancel: () => void
  /** Default: Cancel. */
  cancel?: string
  /** Label of the action. */
  submit: string
  busy?: boolean
  /** Why the action is unavailable. */
  disabledReason?: string | null
  /** The action has the initial focus. */
  autoFocus?: boolean
  /** The action cannot be undone: Cancel has the initial focus, and Enter elsewhere does nothing. */
  onDanger?: () => void
}

/** Cancel and the action of a dialog, which submits its form. */
export function DialogActions({ onCancel, cancel, submit, busy, disabledReason, autoFocus, onDanger }: DialogActionsProps) {
  return (
    <>
      <Button label={cancel ?? t('action.cancel')} variant="quiet" onClick={onCancel} disabled={busy} data-autofocus={onDanger && true} />
      {onDanger ? (
        <Button label={submit} variant="danger" onClick={onDanger} />
      ) : (
        <Button
          label={submit}
          variant="primary"
          type="submit"
          busy={busy}
          disabledReason={disabledReason}
          data-autofocus={autoFocus || undefined}
        />
      )}
    </>
  )
}

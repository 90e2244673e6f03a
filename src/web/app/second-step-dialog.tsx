import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isAppError } from '../../shared/errors.ts'
import { hasPasskeys, PasskeyDismissed } from '../data/passkeys.ts'
import { completeSignIn, completeWithPasskey, type HalfDone } from '../data/second-step.ts'
import { errorText, t } from '../i18n/i18n.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { DialogActions } from '../widgets/dialog-actions.tsx'
import { SecondFactorFields, useSecondFactorEntry } from '../widgets/second-factor-fields.tsx'

export interface SecondStepDialogProps {
  half: HalfDone
  /** The first step is too long ago. */
  onExpired: () => void
  onLeave: () => void
}

/** The second factor of somebody whose session has ended; the work behind the dialog goes on. */
export function SecondStepDialog({ half, onExpired, onLeave }: SecondStepDialogProps) {
  const entry = useSecondFactorEntry(half.ways, { hasPasskeys: hasPasskeys() })
  const [isEmpty, setIsEmpty] = useState(false)
  const send = useMutation({
    meta: { shows: 'all' },
    mutationFn: () =>
      entry.proof === null ? completeWithPasskey(half, { trust: false }) : completeSignIn(half, { ...entry.proof, trust: false }),
    onError: (error) => isAppError(error, 'sign-in-needed') && onExpired(),
  })
  const { error } = send
  const problem = isEmpty ? t('login.second.enter') : error === null || error instanceof PasskeyDismissed ? null : errorText(error)
  return (
    <Dialog
      title={t('login.second.title')}
      size="small"
      // There may be unsaved input behind the dialog, so Escape and the backdrop do not close it.
      onDismiss={() => undefined}
      onSubmit={() => (entry.way !== 'passkey' && entry.proof === null ? setIsEmpty(true) : send.mutate())}
      busy={send.isPending}
      actions={<DialogActions onCancel={onLeave} cancel={t('sidebar.logout')} submit={t('login.submit')} busy={send.isPending} />}
    >
      <SecondFactorFields
        entry={entry}
        error={problem}
        busy={send.isPending}
        onChange={() => {
          setIsEmpty(false)
          if (!send.isPending) send.reset()
        }}
      />
    </Dialog>
  )
}

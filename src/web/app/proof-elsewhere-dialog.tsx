import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { hasPasskeys } from '../data/passkeys.ts'
import { signInAgainAt } from '../data/provider-sign-in.ts'
import type { PromptProps } from '../data/prompts.ts'
import { secondProofFrom } from '../data/reauthenticate.ts'
import { useSession } from '../data/session.ts'
import { t } from '../i18n/i18n.tsx'
import { Button, buttonClassName } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FieldMessage } from '../ui/field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { DialogActions } from '../widgets/dialog-actions.tsx'

type Props = Pick<PromptProps<'reauthenticate'>, 'attempt' | 'second' | 'onAnswer' | 'onDismiss'> & {
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  readonly problemOf: (error: unknown) => string | null
}

/** Confirms who somebody is that has no password here: by a second factor, or by signing in again at the provider, in another tab. */
export function ProofElsewhereDialog({ attempt, second, providers, problemOf, onAnswer, onDismiss }: Props) {
  const [code, setCode] = useState('')
  const [isEmpty, setIsEmpty] = useState(false)
  const send = useMutation({ meta: { shows: 'all' }, mutationFn: attempt, onSuccess: () => onAnswer(true) })
  const { mutate } = send

  // The other tab has signed in, and this one follows it.
  const token = useSession((state) => state.token)
  const userId = useSession((state) => state.user?.id)
  const before = useRef({ token, userId })
  useEffect(() => {
    if (token === before.current.token) return
    before.current.token = token
    // What somebody began is not done as somebody else.
    if (userId !== before.current.userId) onDismiss()
    else if (!second) mutate({})
  }, [token, userId, second, mutate, onDismiss])

  const problem = isEmpty ? t('login.second.enter') : send.error === null ? null : problemOf(send.error)
  const onSubmit = () => {
    if (code.trim() === '') setIsEmpty(true)
    else send.mutate({ second: secondProofFrom(code) })
  }
  return (
    <Dialog
      title={t('proof.title')}
      description={second ? t('proof.code.text') : t('proof.again')}
      size="small"
      onDismiss={onDismiss}
      onSubmit={second ? onSubmit : undefined}
      busy={send.isPending}
      actions={
        second ? (
          <DialogActions onCancel={onDismiss} cancel={t('action.cancel')} submit={t('proof.submit')} busy={send.isPending} />
        ) : (
          <Button label={t('action.cancel')} onClick={onDismiss} />
        )
      }
    >
      {second ? (
        <>
          <TextField
            label={t('proof.code')}
            name="code"
            verbatim
            autoComplete="one-time-code"
            dir="ltr"
            required
            data-autofocus
            value={code}
            error={problem}
            onValue={(value) => {
              setCode(value)
              setIsEmpty(false)
              send.reset()
            }}
          />
          {hasPasskeys() && (
            <div>
              <Button
                label={t('login.second.use.passkey')}
                variant="quiet"
                size="small"
                icon={KeyRound}
                busy={send.isPending}
                onClick={() => send.mutate({ passkey: true })}
              />
            </div>
          )}
        </>
      ) : (
        <>
          {providers.map(({ id, name }) => (
            <a
              key={id}
              className={buttonClassName({ size: 'large', wide: true, variant: 'primary' })}
              href={signInAgainAt(id)}
              target="_blank"
              rel="noreferrer"
            >
              <span className="ellipsis">{t('login.provider', { name: `\u2068${name}\u2069` })}</span>
            </a>
          ))}
          <div role="alert">{problem !== null && <FieldMessage tone="error" text={problem} />}</div>
        </>
      )}
    </Dialog>
  )
}

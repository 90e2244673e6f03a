import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { isAppError } from '../../shared/errors.ts'
import { hasPasskeys, PasskeyDismissed } from '../data/passkeys.ts'
import type { PromptProps } from '../data/prompts.ts'
import { secondProofFrom } from '../data/reauthenticate.ts'
import { useSession } from '../data/session.ts'
import { errorText, t } from '../i18n/i18n.tsx'
import { Button } from '../ui/button.tsx'
import { FieldMessage } from '../ui/field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { ProofElsewhereDialog } from './proof-elsewhere-dialog.tsx'

/** Asks who somebody is before a sensitive operation, until it is certain or they give up. */
export function ReauthenticateDialog({ elsewhere, ...props }: PromptProps<'reauthenticate'>) {
  if (elsewhere === null) return <PasswordProof {...props} />
  const problemOf = (error: unknown) =>
    error instanceof PasskeyDismissed ? null : isAppError(error, 'proof-needed') ? t('proof.not-yet') : errorText(error)
  return <ProofElsewhereDialog {...props} providers={elsewhere.providers} problemOf={problemOf} />
}

/** By the password, and a second factor if there is one. */
function PasswordProof({ attempt, second, onAnswer, onDismiss }: Omit<PromptProps<'reauthenticate'>, 'elsewhere'>) {
  const username = useSession((state) => state.user?.username ?? '')
  const [code, setCode] = useState('')
  const problemOf = (error: unknown) =>
    isAppError(error, 'proof-needed') ? t(second ? 'proof.wrong-either' : 'proof.wrong') : errorText(error)
  const byPasskey = useMutation({
    meta: { shows: 'all' },
    mutationFn: () => attempt({ passkey: true }),
    onSuccess: () => onAnswer(true),
  })
  const passkeyProblem = byPasskey.error === null || byPasskey.error instanceof PasskeyDismissed ? null : t('login.passkey.failed')
  return (
    <PasswordDialog
      title={t('proof.title')}
      text={t('proof.text')}
      username={username}
      label={t('proof.label')}
      empty={t('proof.empty')}
      submit={t('proof.submit')}
      leave={t('action.cancel')}
      attempt={(password) => attempt({ password, ...(second && { second: secondProofFrom(code) }) })}
      problemOf={problemOf}
      onDone={() => onAnswer(true)}
      onLeave={onDismiss}
      onDismiss={onDismiss}
    >
      {second && (
        <>
          <TextField
            label={t('proof.code')}
            name="code"
            verbatim
            autoComplete="one-time-code"
            dir="ltr"
            required
            value={code}
            onValue={setCode}
          />
          {hasPasskeys() && (
            <div>
              <Button
                label={t('login.second.use.passkey')}
                variant="quiet"
                size="small"
                icon={KeyRound}
                busy={byPasskey.isPending}
                onClick={() => byPasskey.mutate()}
              />
              <div role="alert">{passkeyProblem !== null && <FieldMessage tone="error" text={passkeyProblem} />}</div>
            </div>
          )}
        </>
      )}
    </PasswordDialog>
  )
}

import { useState } from 'react'
import { isAppError } from '../../shared/errors.ts'
import type { PromptProps } from '../data/prompts.ts'
import { useSession } from '../data/session.ts'
import { errorText, t } from '../i18n/i18n.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PasswordField } from '../ui/password-field.tsx'

/** Asks for the current password and stays until it is right or the person gives up. */
export function ProofDialog({ attempt, onAnswer, onDismiss }: PromptProps<'proof'>) {
  const username = useSession((state) => state.user?.username ?? '')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const submit = async () => {
    if (password === '') return setProblem(t('proof.empty'))
    setBusy(true)
    setProblem(null)
    try {
      await attempt(password)
      onAnswer(true)
    } catch (error) {
      setProblem(isAppError(error, 'proof-needed') ? t('proof.wrong') : errorText(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('proof.title')}
      description={t('proof.text')}
      size="small"
      onDismiss={onDismiss}
      onSubmit={() => void submit()}
      busy={busy}
      actions={
        <>
          <Button variant="quiet" onClick={onDismiss} disabled={busy}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" variant="primary" busy={busy}>
            {t('proof.submit')}
          </Button>
        </>
      }
    >
      {/* Tells password managers whose password this is. */}
      <input hidden readOnly autoComplete="username" value={username} />
      <PasswordField
        label={t('proof.label')}
        name="current-password"
        autoComplete="current-password"
        data-autofocus
        required
        revealLabel={t('login.reveal')}
        concealLabel={t('login.conceal')}
        capsLockHint={t('login.caps-lock')}
        error={problem}
        value={password}
        onValue={(value) => {
          setPassword(value)
          setProblem(null)
        }}
      />
    </Dialog>
  )
}

import { useState } from 'react'
import type { PromptProps } from '../data/prompts.ts'
import { t } from '../i18n/i18n.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PasswordField } from '../ui/password-field.tsx'

/** Asks for one's own password before something that matters. */
export function ProofDialog({ wrong, onAnswer, onDismiss }: PromptProps<'proof'>) {
  const [password, setPassword] = useState('')
  return (
    <Dialog
      title={t('proof.title')}
      description={t('proof.text')}
      size="small"
      onDismiss={onDismiss}
      onSubmit={() => password !== '' && onAnswer(password)}
      actions={
        <>
          <Button variant="quiet" onClick={onDismiss}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" variant="primary">
            {t('proof.confirm')}
          </Button>
        </>
      }
    >
      <PasswordField
        label={t('proof.password')}
        autoComplete="current-password"
        data-autofocus
        revealLabel={t('login.reveal')}
        concealLabel={t('login.conceal')}
        capsLockHint={t('login.caps-lock')}
        error={wrong && password === '' ? t('proof.wrong') : null}
        value={password}
        onValue={setPassword}
      />
    </Dialog>
  )
}

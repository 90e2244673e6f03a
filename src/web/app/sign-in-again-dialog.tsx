import { useEffect, useState } from 'react'
import type { PromptProps } from '../data/prompts.ts'
import { signIn, useSession } from '../data/session.ts'
import { errorText, t } from '../i18n/i18n.tsx'
import { PasswordDialog } from './password-dialog.tsx'

/** The session has expired: the same user signs in again and the interrupted work continues. */
export function SignInAgainDialog({ username, onAnswer, onDismiss }: PromptProps<'sign-in-again'>) {
  const [worn] = useState(() => useSession.getState().token)
  const token = useSession((state) => state.token)
  // Answered by a new token, from here or from another tab.
  useEffect(() => {
    if (token !== null && token !== worn) onAnswer(true)
  }, [token, worn, onAnswer])
  return (
    <PasswordDialog
      title={t('session.ended')}
      text={t('session.ended.text', { name: username })}
      username={username}
      label={t('login.password')}
      empty={t('login.enter-password')}
      submit={t('login.submit')}
      leave={t('sidebar.logout')}
      attempt={(password) => signIn({ username, password })}
      problemOf={errorText}
      onDone={() => undefined}
      onLeave={onDismiss}
      // There may be unsaved input behind the dialog, so Escape and the backdrop do not close it.
      onDismiss={() => undefined}
    />
  )
}

import { useEffect, useState } from 'react'
import type { PromptProps } from '../data/prompts.ts'
import { signIn, useSession } from '../data/session.ts'
import { errorText, t } from '../i18n/i18n.tsx'
import { PasswordDialog } from './password-dialog.tsx'

/** The session has ended in the middle of something: whose it was signs in again, and everything goes on where it stood. */
export function ReturnDialog({ username, onAnswer, onDismiss }: PromptProps<'sign-in-again'>) {
  const [worn] = useState(() => useSession.getState().token)
  const token = useSession((state) => state.token)
  // Here or in another tab: a new token is the answer.
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
      // What is behind may be half written: a slip of the finger leaves nothing.
      onDismiss={() => undefined}
    />
  )
}

import { useEffect, useState } from 'react'
import type { PromptProps } from '../data/prompts.ts'
import { type HalfDone, halfDoneFrom } from '../data/second-step.ts'
import { outlivesBrowser, signIn, useSession } from '../data/session.ts'
import { errorText, t } from '../i18n/i18n.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { SecondStepDialog } from './second-step-dialog.tsx'

/** The session has expired: the same user signs in again and the interrupted work continues. */
export function SignInAgainDialog({ username, onAnswer, onDismiss }: PromptProps<'sign-in-again'>) {
  const [worn] = useState(() => useSession.getState().token)
  const token = useSession((state) => state.token)
  // Answered by a new token, from here or from another tab.
  useEffect(() => {
    if (token !== null && token !== worn) onAnswer(true)
  }, [token, worn, onAnswer])
  const [half, setHalf] = useState<HalfDone | null>(null)
  const attempt = async (password: string) => {
    try {
      await signIn({ username, password })
    } catch (error) {
      const next = halfDoneFrom(error, { remember: outlivesBrowser() })
      if (next === null) throw error
      setHalf(next)
    }
  }
  if (half !== null) return <SecondStepDialog half={half} onExpired={() => setHalf(null)} onLeave={onDismiss} />
  return (
    <PasswordDialog
      title={t('session.ended')}
      text={t('session.ended.text', { name: username })}
      username={username}
      label={t('login.password')}
      empty={t('login.enter-password')}
      submit={t('login.submit')}
      leave={t('sidebar.logout')}
      attempt={attempt}
      problemOf={errorText}
      onDone={() => undefined}
      onLeave={onDismiss}
      // There may be unsaved input behind the dialog, so Escape and the backdrop do not close it.
      onDismiss={() => undefined}
    />
  )
}

import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { finishSignIn, problemIn, signInOnce } from '../../data/provider-sign-in.ts'
import { outlivesBrowser } from '../../data/session.ts'
import { type HalfDone, halfDoneFrom } from '../../data/second-step.ts'
import { isAppError } from '../../../shared/errors.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './login-screen.module.css'

const ONCE = '#once='

interface OnHalfDone {
  /** The account has a second factor. */
  readonly onHalfDone: (half: HalfDone) => void
}

function goOn(onHalfDone: OnHalfDone['onHalfDone'], how: { remember: boolean }): (error: unknown) => void {
  return (error) => {
    const half = halfDoneFrom(error, how)
    if (half !== null) onHalfDone(half)
  }
}

/** Ends a sign-in that a provider or a link began, or says why it did not work. */
export function ReturnedSignIn({ query, ...more }: { query: URLSearchParams } & OnHalfDone) {
  if (location.hash.startsWith(ONCE)) return <Once secret={location.hash.slice(ONCE.length)} {...more} />
  const problem = problemIn(query)
  if (problem !== null) return <Problem text={t(`signin.problem.${problem}`)} />
  return query.has('provider') ? <Finish {...more} /> : null
}

function Finish({ onHalfDone }: OnHalfDone) {
  const { mutate, error } = useMutation({
    meta: { shows: 'all' },
    mutationFn: finishSignIn,
    onError: goOn(onHalfDone, { remember: outlivesBrowser() }),
  })
  const asked = useRef(false)
  // Only once: what was proved is used up by it.
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    mutate()
  }, [mutate])
  if (error !== null) return <Problem text={isAppError(error, 'wrong-credentials') ? t('signin.problem.expired') : errorText(error)} />
  return (
    <p role="status" className="muted">
      {t('login.checking')}
    </p>
  )
}

/** A link that signs in once waits for a click, so that programs which look at links do not use it up. */
function Once({ secret, onHalfDone }: { secret: string } & OnHalfDone) {
  const send = useMutation({
    meta: { shows: 'all' },
    mutationFn: () => signInOnce(secret),
    onError: goOn(onHalfDone, { remember: false }),
  })
  const text = send.error === null ? null : isAppError(send.error, 'wrong-credentials') ? t('signin.once.failed') : errorText(send.error)
  return (
    <div className={styles.once}>
      {text !== null && <Problem text={text} />}
      <p>{t('signin.once')}</p>
      <Button
        label={t(send.isPending ? 'login.checking' : 'login.submit')}
        variant="primary"
        size="large"
        wide
        busy={send.isPending}
        onClick={() => send.mutate()}
      />
    </div>
  )
}

function Problem({ text }: { text: string }) {
  return (
    <p role="alert" className={styles.problem} data-part="sign-in-problem">
      {text}
    </p>
  )
}

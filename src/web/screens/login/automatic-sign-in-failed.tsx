import { useEffect, useState } from 'react'
import { pageConfig } from '../../data/page-config.ts'
import { signInAutomatically, useSession } from '../../data/session.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { FullPageMessage } from '../../widgets/full-page-message.tsx'
import styles from './login-screen.module.css'

/** Shown if automatic sign-in failed: the reason and a Retry button. */
export function AutomaticSignInFailed() {
  const failure = useSession((state) => state.automaticError)
  const [busy, setBusy] = useState(false)

  const retry = () => {
    setBusy(true)
    void signInAutomatically().finally(() => setBusy(false))
  }
  // After a session has expired, sign in again at once.
  useEffect(() => {
    if (useSession.getState().automaticError === null) void signInAutomatically()
  }, [])

  if (failure === null) {
    return (
      <main className={styles.waiting} aria-label={t('app.loading')}>
        <Spinner size={28} />
      </main>
    )
  }
  const why = failure === 'offline' ? 'error.offline' : pageConfig.NoAuth ? 'login.entry.noauth' : 'login.entry.proxy'
  return (
    <main data-part="entry-failed">
      <FullPageMessage title={t('login.entry.title')} text={t(why)}>
        <Button label={t('action.retry')} variant="primary" busy={busy} onClick={retry} />
      </FullPageMessage>
    </main>
  )
}

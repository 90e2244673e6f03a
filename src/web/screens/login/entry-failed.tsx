import { useEffect, useState } from 'react'
import { pageConfig } from '../../data/page-config.ts'
import { signInAutomatically, useSession } from '../../data/session.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { Notice } from '../../widgets/notice.tsx'
import styles from './login-screen.module.css'

/** Where nobody signs in by hand: tries once more, and says why it did not work. */
export function EntryFailed() {
  const failure = useSession((state) => state.automaticError)
  const [busy, setBusy] = useState(false)

  const retry = () => {
    setBusy(true)
    void signInAutomatically().finally(() => setBusy(false))
  }
  // A session that ended in the middle is simply opened anew.
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
      <Notice title={t('login.entry.title')} text={t(why)}>
        <Button variant="primary" busy={busy} onClick={retry}>
          {t('action.retry')}
        </Button>
      </Notice>
    </main>
  )
}

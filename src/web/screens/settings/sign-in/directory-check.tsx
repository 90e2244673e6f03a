import { RefreshCw } from 'lucide-react'
import { type Directory, useCheckDirectory } from '../../../data/directories.ts'
import { formatDistance } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { isAppError } from '../../../../shared/errors.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './sign-in-screen.module.css'

/** What the last comparison with a directory found, and another one now. */
export function DirectoryCheck({ directory }: { directory: Directory }) {
  const check = useCheckDirectory()
  const { lastCheck } = directory
  const when = lastCheck === null ? '' : formatDistance(new Date(lastCheck.at))
  const problem = check.error === null ? null : isAppError(check.error, 'invalid-input') ? t('ldap.check.needs') : errorText(check.error)
  return (
    <div className={styles.actions} data-part="directory-check">
      <Button label={t('ldap.check.now')} size="small" icon={RefreshCw} busy={check.isPending} onClick={() => check.mutate(directory.id)} />
      <div role="status" className="text-small">
        {problem !== null && <p className={styles.refusal}>{problem}</p>}
        {problem === null && lastCheck !== null && lastCheck.problem === '' && (
          <p className="muted">{t('ldap.check.result', { when, people: lastCheck.people, ended: lastCheck.ended })}</p>
        )}
        {problem === null && lastCheck !== null && lastCheck.problem !== '' && (
          <>
            <p className={styles.refusal}>{t('ldap.check.failed', { when })}</p>
            <p className="muted break-anywhere" lang="en" dir="ltr">
              {lastCheck.problem}
            </p>
          </>
        )}
      </div>
    </div>
  )
}

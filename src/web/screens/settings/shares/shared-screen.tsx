import { useUser } from '../../../data/session.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Link } from '../../../router/router.tsx'
import { classes } from '../../../ui/classes.ts'
import page from '../../../widgets/page.module.css'
import { SharedHead } from '../../../widgets/shared-head.tsx'
import styles from './shares-section.module.css'
import { PeopleSharesSection } from './people-shares-section.tsx'
import { SharesSection } from './shares-section.tsx'

/** What the user shares, beside what is shared with them; the links are a tab of the settings as well. */
export function SharedScreen() {
  const { perm } = useUser()
  return (
    <div className={page.screen} data-part="shared">
      <header className={classes(page.head, styles.head)}>
        <SharedHead
          both
          text={t(perm.admin ? 'shares.text.admin' : 'shares.text')}
          link={(to, label) => (
            <Link to={to} aria-current={to === '/shared' ? 'page' : undefined}>
              {label}
            </Link>
          )}
        />
      </header>
      <div className={styles.page}>
        <SharesSection />
        <PeopleSharesSection />
      </div>
    </div>
  )
}

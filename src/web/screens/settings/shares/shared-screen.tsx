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
  return (
    <div className={page.screen} data-part="shared">
      <header className={classes(page.head, styles.head)}>
        <SharedHead
          both
          link={(to, label) => (
            <Link to={to} aria-current={to === '/shared' ? 'page' : undefined}>
              {label}
            </Link>
          )}
        />
        <p className="muted text-small">{t('shares.text')}</p>
      </header>
      <div className={styles.page}>
        <SharesSection />
        <PeopleSharesSection />
      </div>
    </div>
  )
}

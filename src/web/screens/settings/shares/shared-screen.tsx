import { t } from '../../../i18n/i18n.tsx'
import { classes } from '../../../ui/classes.ts'
import page from '../../../widgets/page.module.css'
import styles from './shares-section.module.css'
import { PeopleSharesSection } from './people-shares-section.tsx'
import { SharesSection } from './shares-section.tsx'

/** The user's shares, reachable from the sidebar; the same list is a tab of the settings. */
export function SharedScreen() {
  return (
    <div className={page.screen} data-part="shared">
      <header className={classes(page.head, styles.head)}>
        <h1 className={page.title}>{t('title.shared')}</h1>
        <p className="muted text-small">{t('shares.text')}</p>
      </header>
      <div className={styles.page}>
        <SharesSection />
        <PeopleSharesSection />
      </div>
    </div>
  )
}

import { t } from '../../../i18n/i18n.tsx'
import { classes } from '../../../ui/classes.ts'
import page from '../../../widgets/page.module.css'
import styles from './shares-section.module.css'
import { SharesSection } from './shares-section.tsx'

/** The links one has given out, one step from the files; the settings have the same list as a tab. */
export function SharedScreen() {
  return (
    <div className={page.screen} data-part="shared">
      <header className={classes(page.head, styles.head)}>
        <h1 className={page.title}>{t('title.shared')}</h1>
        <p className={styles.lead}>{t('shares.text')}</p>
      </header>
      <div className={styles.page}>
        <SharesSection />
      </div>
    </div>
  )
}

import { useState } from 'react'
import { saveOwn, useUser } from '../../../data/session.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { report } from '../report.ts'
import styles from './tap-offer.module.css'

/** Offers single taps on a touch device, once for each person on it (decision 29). Whatever is answered, it does not come again. */
export function TapOffer() {
  const { id } = useUser()
  const key = `tap-offer-${id}`
  const [answered, setAnswered] = useState(() => localStorage.getItem(key) !== null)
  if (answered) return null

  const answer = (yes: boolean) => {
    localStorage.setItem(key, yes ? 'yes' : 'no')
    setAnswered(true)
    if (yes) saveOwn({ singleClick: true }).catch(report)
  }
  return (
    <aside className={styles.offer} aria-label={t('files.tap-offer.title')} data-part="tap-offer">
      <p className={styles.title}>{t('files.tap-offer.title')}</p>
      <p className={styles.text}>{t('files.tap-offer.text')}</p>
      <div className={styles.answers}>
        <Button variant="quiet" onClick={() => answer(false)}>
          {t('files.tap-offer.no')}
        </Button>
        <Button variant="primary" onClick={() => answer(true)}>
          {t('files.tap-offer.yes')}
        </Button>
      </div>
    </aside>
  )
}

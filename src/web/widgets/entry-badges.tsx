import { t } from '../i18n/i18n.tsx'
import styles from './entry-badges.module.css'

/** Badges after the name: favourite, shared. */
export function EntryBadges({ starred, shared }: { starred: boolean; shared: boolean }) {
  return (
    <>
      {shared && <Mark className={styles.link} path={LINK} word={t('files.shared')} />}
      {starred && <Mark className={styles.star} path={STAR} word={t('files.starred')} />}
    </>
  )
}

function Mark({ className, path, word }: { className: string | undefined; path: string; word: string }) {
  return (
    <>
      <svg className={className} width={14} height={14} viewBox="0 0 24 24" aria-hidden>
        <path d={path} />
      </svg>
      <span className="sr-only">{word}</span>
    </>
  )
}

const STAR = 'M12 2.6l2.9 5.9 6.5.95-4.7 4.6 1.1 6.45L12 17.45 6.2 20.5l1.1-6.45-4.7-4.6 6.5-.95z'
const LINK = 'M10 13a5 5 0 0 0 7.5.5l3-3a5 5 0 0 0-7-7l-1.7 1.7M14 11a5 5 0 0 0-7.5-.5l-3 3a5 5 0 0 0 7 7l1.7-1.7'

import type { ReactNode } from 'react'
import { errorText, t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './places.module.css'

interface FrameProps {
  title: string
  text?: string | undefined
  /** What one can do with the list as a whole. */
  tools?: ReactNode
  part: string
  children: ReactNode
}

/** A screen of files and folders from anywhere. */
export function Frame({ title, text, tools, part, children }: FrameProps) {
  return (
    <div className={styles.screen} data-part={part}>
      <header className={styles.head}>
        <div className={styles.titles}>
          <h1 className={styles.title}>{title}</h1>
          {text !== undefined && <p className={styles.text}>{text}</p>}
        </div>
        {tools}
      </header>
      {children}
    </div>
  )
}

export function PlacesWaiting() {
  return (
    <div className={styles.waiting} role="status" aria-label={t('app.loading')}>
      <Spinner size={22} />
    </div>
  )
}

export function PlacesFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert">
      <Empty title={t('places.failed')} text={errorText(error)}>
        <Button variant="primary" onClick={onRetry}>
          {t('action.retry')}
        </Button>
      </Empty>
    </div>
  )
}

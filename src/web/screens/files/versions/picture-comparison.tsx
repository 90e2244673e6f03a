import { MoveHorizontal } from 'lucide-react'
import { type CSSProperties, useState } from 'react'
import { formatPercent } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import styles from './picture-comparison.module.css'

export interface PictureComparisonProps {
  name: string
  /** Addresses. */
  before: string
  after: string
}

/** Two pictures one above the other; a slider, also by arrow keys, shows more of one or of the other. */
export function PictureComparison({ name, before, after }: PictureComparisonProps) {
  const [at, setAt] = useState(50)
  const [broken, setBroken] = useState(false)
  const picture = { draggable: false, onError: () => setBroken(true) }
  if (broken)
    return (
      <p className={styles.broken} role="alert">
        {t('preview.broken')}
      </p>
    )
  const place: CSSProperties & Record<'--at', string> = { '--at': `${at}%` }
  return (
    <div className={styles.comparison} data-part="comparison">
      <div className={styles.pictures} style={place}>
        <img {...picture} className={styles.picture} src={after} alt={`${name}, ${t('versions.current')}`} />
        <img {...picture} className={styles.picture} data-side="before" src={before} alt={`${name}, ${t('versions.this')}`} />
        <input
          type="range"
          className={styles.range}
          min={0}
          max={100}
          value={at}
          aria-label={t('versions.slider')}
          aria-valuetext={formatPercent(at / 100)}
          onChange={({ target }) => setAt(target.valueAsNumber)}
        />
        <span className={styles.divider} aria-hidden>
          <span className={styles.handle}>
            <MoveHorizontal size={18} />
          </span>
        </span>
      </div>
      <p className={styles.names} aria-hidden>
        <span>{t('versions.this')}</span>
        <span>{t('versions.current')}</span>
      </p>
    </div>
  )
}

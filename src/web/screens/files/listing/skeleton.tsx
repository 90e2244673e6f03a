import type { FilePath } from '../../../../shared/file-path.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Breadcrumbs } from '../breadcrumbs.tsx'
import styles from './skeleton.module.css'

const ROWS = 8

/** Eight placeholder rows while a folder loads; its name is known already. */
export function Skeleton({ path }: { path: FilePath }) {
  return (
    <div className="grow shrinkable-block clip" data-part="skeleton">
      <div className={styles.header}>
        <Breadcrumbs path={path} />
      </div>
      <p className="sr-only" role="status">
        {t('app.loading')}
      </p>
      <div className={styles.rows} aria-hidden>
        {Array.from({ length: ROWS }, (_, at) => (
          <div key={at} className={styles.row}>
            <span className={styles.glyph} />
            <span className={styles.name} style={{ inlineSize: `${28 + ((at * 37) % 30)}%` }} />
          </div>
        ))}
      </div>
    </div>
  )
}

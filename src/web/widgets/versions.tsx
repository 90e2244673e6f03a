import { formatBytes, formatDateTime } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import { classes } from '../ui/classes.ts'
import styles from './versions.module.css'

/** One of two things of the same name; sizes in bytes, null for a folder; times in milliseconds since 1970. */
export interface Version {
  readonly size: number | null
  readonly modified: number
}

/** What is there beside what comes. Newer and larger are said in bold, so that the choice can be made at a glance (ux 39). */
export function Versions({ existing, incoming }: { existing: Version; incoming: Version }) {
  return (
    <div className={styles.sides}>
      <Side label={t('files.clash.existing')} version={existing} other={incoming} />
      <Side label={t('files.clash.incoming')} version={incoming} other={existing} />
    </div>
  )
}

function Side({ label, version, other }: { label: string; version: Version; other: Version }) {
  const newer = version.modified > other.modified
  const larger = version.size !== null && other.size !== null && version.size > other.size
  return (
    <div className={classes(styles.side, newer && styles.newer)}>
      <p className={styles.label}>
        {label}
        {newer && <span className={styles.chip}>{t('files.clash.newer')}</span>}
      </p>
      <p className={classes(styles.fact, larger && styles.more)}>
        <bdi>{version.size === null ? t('files.kind.folder') : formatBytes(version.size)}</bdi>
      </p>
      <p className={classes(styles.fact, newer && styles.more)}>
        <bdi>{formatDateTime(new Date(version.modified))}</bdi>
      </p>
    </div>
  )
}

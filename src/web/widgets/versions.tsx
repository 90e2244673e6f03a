import { useEffect, useRef, useState } from 'react'
import { fileType } from '../../shared/file-type.ts'
import { formatBytes, formatDateTime } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import { classes } from '../ui/classes.ts'
import type { Version } from './conflict-resolution.ts'
import { EntryIcon } from './entry-icon.tsx'
import styles from './versions.module.css'

/** Compares existing and new version; the newer and the larger value are bold. */
export function Versions({ name, existing, incoming }: { name: string; existing: Version; incoming: Version }) {
  return (
    <div className={styles.sides}>
      <Side name={name} label={t('files.clash.existing')} version={existing} other={incoming} />
      <Side name={name} label={t('files.clash.incoming')} version={incoming} other={existing} />
    </div>
  )
}

function Side({ name, label, version, other }: { name: string; label: string; version: Version; other: Version }) {
  const newer = version.modified > other.modified
  const larger = !version.isFolder && !other.isFolder && version.size > other.size
  return (
    <div className={classes(styles.side, newer && styles.newer)} role="group" aria-label={label}>
      <Picture key={`${name} ${version.modified}`} name={name} version={version} />
      <div className="grid gap-1 shrinkable">
        <p className="row wrap gap-4 text-name">
          {label}
          {newer && <span className={styles.chip}>{t('files.clash.newer')}</span>}
        </p>
        <p className={classes('text-small muted', larger && styles.more)}>
          <bdi>{version.isFolder ? t('files.kind.folder') : formatBytes(version.size)}</bdi>
        </p>
        <p className={classes('text-small muted', newer && styles.more)}>
          <bdi>{formatDateTime(new Date(version.modified))}</bdi>
        </p>
      </div>
    </div>
  )
}

/** Thumbnail, or the icon if there is none. */
function Picture({ name, version: { isFolder, picture } }: { name: string; version: Version }) {
  const image = useRef<HTMLImageElement>(null)
  const [missing, setMissing] = useState(picture === null)
  // Object URLs must be revoked.
  useEffect(() => {
    if (picture === null || image.current === null) return
    const url = typeof picture === 'string' ? picture : URL.createObjectURL(picture)
    image.current.src = url
    return () => (picture === url ? undefined : URL.revokeObjectURL(url))
  }, [picture])
  return (
    <span className={styles.picture} aria-hidden>
      {missing ? (
        <EntryIcon name={name} type={fileType(name) ?? 'blob'} isDir={isFolder} size={40} />
      ) : (
        <img ref={image} className={styles.image} alt="" onError={() => setMissing(true)} />
      )}
    </span>
  )
}

import { Trash2 } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { fullAddress, urlFromPath } from '../../../data/paths.ts'
import type { UsageItem } from '../../../data/usage.ts'
import { formatBytes, formatBytesExact, formatPercent } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { classes } from '../../../ui/classes.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useHeldLine } from '../../../ui/use-held-line.ts'
import { displayName } from '../../../widgets/display-name.ts'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import { FileName } from '../../../widgets/file-name.tsx'
import line from '../../../widgets/found-line.module.css'
import { RevealButton, Whence } from '../../../widgets/found-line.tsx'
import styles from './part-line.module.css'
import type { PartDeeds } from './use-part-deeds.ts'

export interface PartLineProps {
  part: UsageItem
  deeds: PartDeeds
  /** From 0 to 1, of the whole; without it the folder that it is in is said. */
  share?: number
  /** Goes into a folder; a file is opened. */
  onFolder?: () => void
  onGone?: () => void
}

/** One thing that takes room, and what one can do with it. */
export function PartLine({ part, deeds, share, onFolder, onGone }: PartLineProps) {
  const name = displayName(part.name)
  const { remove } = deeds
  const open = (event: MouseEvent): void => {
    // Another tab or window is the browser's to open.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    if (part.isDir && onFolder) onFolder()
    else deeds.open(part)
  }
  return (
    <li className={line.line}>
      <a
        className={classes(line.link, styles.link)}
        href={fullAddress(urlFromPath(part.path, { folder: part.isDir }))}
        onClick={open}
        draggable={false}
      >
        <EntryIcon name={part.name} type={part.type} isDir={part.isDir} size={26} />
        <span className={classes(line.words, styles.words)}>
          <FileName name={part.name} />
          {share === undefined ? <Whence path={part.path} /> : <Bar share={share} />}
        </span>
        <span className={styles.size}>
          <bdi title={formatBytesExact(part.bytes)}>{formatBytes(part.bytes)}</bdi>
          {share !== undefined && <bdi className={styles.share}>{formatPercent(share)}</bdi>}
        </span>
      </a>
      <RevealButton path={part.path} onReveal={() => deeds.reveal(part)} />
      {remove && (
        <IconButton
          label={t('usage.delete-named', { name })}
          data-tooltip={t('files.action.delete')}
          icon={<Trash2 size={18} strokeWidth={1.75} />}
          onClick={() => remove(part, onGone)}
        />
      )}
    </li>
  )
}

/** Seen, not read aloud: the numbers beside it say the same. */
function Bar({ share }: { share: number }) {
  return (
    <span className={styles.track} aria-hidden>
      <span className={styles.bar} style={{ inlineSize: `${Math.min(1, share) * 100}%` }} />
    </span>
  )
}

export function PartList({ label, children }: { label: string; children: ReactNode }) {
  const held = useHeldLine<HTMLUListElement>()
  return (
    <ul {...held} className={styles.list} aria-label={label}>
      {children}
    </ul>
  )
}

import { MonitorCog } from 'lucide-react'
import { useState } from 'react'
import { type FilePath, nameOf, parentOf } from '../../../../shared/file-path.ts'
import { fileType } from '../../../../shared/file-type.ts'
import type { PastOutside } from '../../../data/gestures.ts'
import { urlFromPath } from '../../../data/paths.ts'
import { formatDateExact, formatNumber, formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import styles from './activity.module.css'
import { folderName, shownName } from './gesture-words.ts'
import { PathLink } from './path-link.tsx'

const FIRST = 3
const KINDS = { appeared: 'create', changed: 'replace', gone: 'delete' } as const

/** What other programs changed in a folder: it is only shown, because it cannot be undone here. */
export function OutsideRow({ outside, path, onGo }: { outside: PastOutside; path: FilePath; onGo: (url: string) => void }) {
  const { at, items, counts } = outside
  const [isOpen, setOpen] = useState(false)
  const total = counts.appeared + counts.changed + counts.gone
  const shown = isOpen ? items : items.slice(0, FIRST)
  const date = new Date(at)
  return (
    <li className={styles.gesture} data-kind="outside" data-part="outside">
      <span className={styles.mark}>
        <MonitorCog size={16} strokeWidth={1.75} aria-hidden />
      </span>
      <div className={styles.words}>
        <p className={styles.title}>{total > 1 ? `${t('history.outside')} · ${formatNumber(total)}` : t('history.outside')}</p>
        <ul className={styles.items}>
          {shown.map((item) => (
            <Item key={`${item.change} ${item.path}`} item={item} within={path} onGo={onGo} />
          ))}
        </ul>
        {total > shown.length &&
          (isOpen || items.length <= FIRST ? (
            <p className="faint text-caption">{t('history.more', { count: total - shown.length })}</p>
          ) : (
            <Button size="small" variant="quiet" className={styles.more} label={t('activity.more')} onClick={() => setOpen(true)} />
          ))}
        <p className={styles.facts}>
          <time dateTime={at} title={formatDateExact(date)}>
            <bdi>{formatTime(date)}</bdi>
          </time>
        </p>
        <p className="faint text-caption">{t('history.outside.note')}</p>
      </div>
    </li>
  )
}

interface ItemProps {
  item: PastOutside['items'][number]
  /** The file or folder whose activity this is. */
  within: FilePath
  onGo: (url: string) => void
}

function Item({ item: { path, change, isDir }, within, onGo }: ItemProps) {
  const name = <bdi>{shownName(path)}</bdi>
  return (
    <li className={styles.item}>
      <EntryIcon name={nameOf(path)} type={isDir ? '' : (fileType(nameOf(path)) ?? 'blob')} isDir={isDir} size={18} />
      <span className={styles.itemWords}>
        {change === 'gone' || path === within ? (
          <span data-gone={change === 'gone' || undefined}>{name}</span>
        ) : (
          <PathLink url={urlFromPath(path, { folder: isDir })} onGo={onGo}>
            {name}
          </PathLink>
        )}
        <span className={styles.notes}>
          <span>{t(`history.kind.${KINDS[change]}`)}</span>
          {path !== within && parentOf(path) !== within && (
            <span>
              <bdi>{t('search.in', { folder: folderName(parentOf(path)) })}</bdi>
            </span>
          )}
        </span>
      </span>
    </li>
  )
}

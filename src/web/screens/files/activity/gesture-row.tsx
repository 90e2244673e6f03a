import { Rewind, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { FilePath } from '../../../../shared/file-path.ts'
import { fileType } from '../../../../shared/file-type.ts'
import { nameOf } from '../../../../shared/file-path.ts'
import type { Change, PastGesture } from '../../../data/gestures.ts'
import { urlFromPath } from '../../../data/paths.ts'
import { formatDateExact, formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import styles from './activity.module.css'
import { kindOf, namedTitle, notesOn, personOf, placeOf, presentPath, reversalOf, shownName, titleOf, wayOf } from './gesture-words.ts'
import { KindIcon } from './kind-icon.tsx'
import { PathLink } from './path-link.tsx'

/** So many changes are shown at first. */
const FIRST = 3

export interface GestureRowProps {
  gesture: PastGesture
  /** The file or folder whose activity this is. */
  path: FilePath
  /** Follows a link to an address of this application. */
  onGo: (url: string) => void
  onUndo: () => void
  /** Rewinds the folder to this moment; null if that is not possible. */
  onRewind: (() => void) | null
}

/** What one person did at once: what it was, what it was about, who, when and how. */
export function GestureRow({ gesture, path, onGo, onUndo, onRewind }: GestureRowProps) {
  const { at, items, total, undoable } = gesture
  const [isOpen, setOpen] = useState(false)
  const isUndone = items.length > 0 && items.every(({ state }) => state === 'undone')
  const shown = isOpen ? items : items.slice(0, FIRST)
  const hidden = total - shown.length
  const facts = [personOf(gesture), null, wayOf(gesture), reversalOf(gesture)]
  const date = new Date(at)
  const named = namedTitle(gesture)
  return (
    <li className={styles.gesture} data-kind={kindOf(gesture)} data-undone={isUndone || undefined} data-part="gesture">
      <span className={styles.mark}>
        <KindIcon kind={kindOf(gesture)} />
      </span>
      <div className={styles.words}>
        <p className={styles.title}>
          {titleOf(gesture)}
          {isUndone && <span className={styles.badge}>{t('history.undone')}</span>}
        </p>
        <ul className={styles.items}>
          {shown.map((change, index) => (
            <Item key={index} change={change} within={path} state={!isUndone} onGo={onGo} />
          ))}
        </ul>
        {hidden > 0 &&
          (isOpen || items.length <= FIRST ? (
            <p className="faint text-caption">{t('history.more', { count: hidden })}</p>
          ) : (
            <Button size="small" variant="quiet" className={styles.more} label={t('activity.more')} onClick={() => setOpen(true)} />
          ))}
        <p className={styles.facts}>
          {facts.map((fact, index) =>
            index === 1 ? (
              <time key={index} dateTime={at} title={formatDateExact(date)}>
                <bdi>{formatTime(date)}</bdi>
              </time>
            ) : (
              fact !== null && (
                <span key={index}>
                  <bdi>{fact}</bdi>
                </span>
              )
            ),
          )}
        </p>
      </div>
      <div className={styles.actions}>
        {onRewind && (
          <IconButton
            size="small"
            icon={Rewind}
            label={`${t('rewind.here')} ${named}`}
            data-tooltip={t('rewind.here')}
            onClick={onRewind}
          />
        )}
        {undoable && (
          <IconButton size="small" icon={Undo2} label={`${t('action.undo')}: ${named}`} data-tooltip={t('action.undo')} onClick={onUndo} />
        )}
      </div>
    </li>
  )
}

/** One change; a link to where it is now. */
function Item({ change, within, state, onGo }: { change: Change; within: FilePath; state: boolean; onGo: (url: string) => void }) {
  const place = placeOf(change)
  if (place === null) return null
  const present = presentPath(change)
  const name = <bdi>{shownName(place)}</bdi>
  const notes = notesOn(change, { within, state })
  return (
    <li className={styles.item}>
      <EntryIcon name={nameOf(place)} type={change.isDir ? '' : (fileType(nameOf(place)) ?? 'blob')} isDir={change.isDir} size={18} />
      <span className={styles.itemWords}>
        {present === null || present === within ? (
          <span data-gone={present === null || undefined}>{name}</span>
        ) : (
          <PathLink url={urlFromPath(present, { folder: change.isDir })} onGo={onGo}>
            {name}
          </PathLink>
        )}
        {notes.length > 0 && (
          <span className={styles.notes}>
            {notes.map((note) => (
              <span key={note}>
                <bdi>{note}</bdi>
              </span>
            ))}
          </span>
        )}
      </span>
    </li>
  )
}

import { X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { type Listing, sizeOfFiles } from '../../../data/listing.ts'
import { formatBytes, formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { classes } from '../../../ui/classes.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { ACTIONS } from '../actions.ts'
import type { ActionName } from '../offers.ts'
import type { Selection } from '../../../data/selection.ts'
import styles from './dock.module.css'

const OFFERED = ['download', 'share', 'rename', 'move', 'copy', 'delete'] as const satisfies ActionName[]
const ANNOUNCE_AFTER_MS = 300

export interface DockProps {
  listing: Listing
  selection: Selection
  offered: (action: ActionName) => boolean
  onAction: (action: ActionName) => void
}

/** Rises when something is selected: how much, and what can be done with it. */
export function Dock({ listing, selection, offered, onAction }: DockProps) {
  useSyncExternalStore(selection.subscribe, () => selection.version)
  const { count, multiple } = selection
  const size = count === 0 ? 0 : sizeOfFiles(listing, selection.chosen())
  const announced = useSettled(count === 0 ? '' : spoken(count, size))
  return (
    <>
      <p className="sr-only" role="status" aria-live="polite">
        {announced}
      </p>
      {(count > 0 || multiple) && (
        <div className={styles.dock} role="toolbar" aria-label={t('files.dock')} data-part="dock">
          <p className={styles.words}>
            <span className={styles.count}>{t('files.selected', { count, number: formatNumber(count) })}</span>
            {size > 0 && (
              <bdi className={styles.size}>
                <span aria-hidden>· </span>
                {formatBytes(size)}
              </bdi>
            )}
          </p>
          {OFFERED.filter(offered).map((action) => (
            <DockButton key={action} action={action} onAction={onAction} />
          ))}
          <IconButton
            label={t('files.action.clear')}
            shortcut="Esc"
            icon={<X size={18} strokeWidth={1.75} />}
            className={styles.close}
            onClick={() => onAction('clear')}
          />
        </div>
      )}
    </>
  )
}

function DockButton({ action, onAction }: { action: ActionName; onAction: DockProps['onAction'] }) {
  const { text, icon: Icon } = ACTIONS[action]
  const danger = action === 'delete'
  return (
    <>
      {danger && <span className={styles.line} aria-hidden />}
      <button
        type="button"
        className={classes(styles.button, danger && styles.danger)}
        aria-label={t(text)}
        data-tooltip={t(text)}
        data-id={action}
        onClick={() => onAction(action)}
      >
        <Icon size={18} strokeWidth={1.75} aria-hidden />
        <span className={styles.label}>{t(text)}</span>
      </button>
    </>
  )
}

function spoken(count: number, size: number): string {
  const words = t('files.selected', { count, number: formatNumber(count) })
  return size > 0 ? `${words}, ${formatBytes(size)}` : words
}

/** Said once the selection rests, not at every step on the way. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ANNOUNCE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

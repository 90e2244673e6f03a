import { Ellipsis, X } from 'lucide-react'
import { useRef, useSyncExternalStore } from 'react'
import { type Listing, sizeOfFiles } from '../../../data/listing.ts'
import type { Selection } from '../../../data/selection.ts'
import { formatBytes, formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { useSettled } from '../../../ui/use-settled.ts'
import { classes } from '../../../ui/classes.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { useOverflow } from '../../../ui/use-overflow.ts'
import { type Action, ACTIONS } from '../actions.ts'
import { ENTRY_MENU, menuEntries } from '../menu-entries.ts'
import type { ActionName } from '../action-rules.ts'
import styles from './selection-bar.module.css'

/** Display order. */
const SHOWN = ['download', 'share', 'move', 'copy', 'rename', 'delete'] as const satisfies ActionName[]
/** Priority when space is short; the rest is in the overflow menu. */
const BY_IMPORTANCE: readonly ActionName[] = ['download', 'delete', 'move', 'share', 'copy', 'rename']
const ANNOUNCE_AFTER_MS = 300

export interface SelectionBarProps {
  listing: Listing
  selection: Selection
  available: (action: ActionName) => boolean
  onAction: (action: ActionName) => void
}

/** Selection bar: summary and actions of the selection. It has reserved space, so that nothing shifts or is covered (decision 041). */
export function SelectionBar({ listing, selection, available, onAction }: SelectionBarProps) {
  useSyncExternalStore(selection.subscribe, () => selection.version)
  const { count, multiple } = selection
  const size = count === 0 ? 0 : sizeOfFiles(listing, selection.chosen())
  const announced = useSettled(count === 0 ? '' : spoken(count, size), ANNOUNCE_AFTER_MS)
  return (
    <>
      <p className="sr-only" role="status" aria-live="polite">
        {announced}
      </p>
      {(count > 0 || multiple) && (
        <div className={classes(styles.bar, 'not-printed')} role="toolbar" aria-label={t('files.dock')} data-part="dock">
          <IconButton label={t('files.action.clear')} shortcut="Esc" icon={X} onClick={() => onAction('clear')} />
          <p className={styles.words}>
            <span className={styles.count}>{t('files.selected', { count, number: formatNumber(count) })}</span>
            {size > 0 && <bdi className="muted text-caption">{formatBytes(size)}</bdi>}
          </p>
          <Actions available={available} onAction={onAction} />
        </div>
      )}
    </>
  )
}

/** As many labelled buttons as fit; the rest in a menu. */
function Actions({ available, onAction }: Pick<SelectionBarProps, 'available' | 'onAction'>) {
  const container = useRef<HTMLDivElement>(null)
  const measure = useRef<HTMLDivElement>(null)
  const actions = SHOWN.filter(available)
  const priority = BY_IMPORTANCE.flatMap((name) => {
    const at = actions.findIndex((action) => action === name)
    return at < 0 ? [] : [at]
  })
  const fitting = useOverflow({ container, measure, priority })
  const shown = new Set<ActionName>(actions.filter((_, at) => fitting.has(at)))
  const rest = () =>
    menuEntries(ENTRY_MENU, { available: (action) => !shown.has(action) && action !== 'paste' && available(action), onAction })
  return (
    <>
      <div ref={container} className={styles.actions}>
        <div ref={measure} className={styles.ruler} aria-hidden>
          {actions.map((action) => (
            <span key={action} className={styles.button}>
              <Face action={action} />
            </span>
          ))}
        </div>
        {actions
          .filter((action) => shown.has(action))
          .map((action) => (
            <button
              key={action}
              type="button"
              className={classes(styles.button, action === 'delete' && styles.danger)}
              aria-label={t(ACTIONS[action].text)}
              data-tooltip={t(ACTIONS[action].text)}
              data-id={action}
              onClick={() => onAction(action)}
            >
              <Face action={action} />
            </button>
          ))}
      </div>
      {rest().length > 0 && (
        <Menu
          label={t('files.more-actions')}
          align="end"
          entries={rest}
          trigger={(props) => <IconButton {...props} label={t('files.more-actions')} icon={Ellipsis} data-id="more" />}
        />
      )}
    </>
  )
}

function Face({ action }: { action: ActionName }) {
  const { text, icon: Icon }: Action = ACTIONS[action]
  return (
    <>
      <Icon size={18} strokeWidth={1.75} aria-hidden />
      <span className={styles.label}>{t(text)}</span>
    </>
  )
}

function spoken(count: number, size: number): string {
  const words = t('files.selected', { count, number: formatNumber(count) })
  return size > 0 ? `${words}, ${formatBytes(size)}` : words
}

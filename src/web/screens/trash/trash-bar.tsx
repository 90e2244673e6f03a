import { FolderInput, RotateCcw, Trash2, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import type { Selection } from '../../data/selection.ts'
import type { Trashed } from '../../data/trash.ts'
import { formatBytes, formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import type { ButtonIcon } from '../../ui/drawn-icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './trash-bar.module.css'
import { chosenOf } from './use-trash-selection.ts'
import type { TrashActions } from './use-trash-actions.ts'

export interface TrashBarProps {
  entries: readonly Trashed[]
  selection: Selection
  actions: TrashActions
  phone: boolean
}

/** Summary and actions of the selection, in a place of its own (decision 041). */
export function TrashBar({ entries, selection, actions, phone }: TrashBarProps) {
  useSyncExternalStore(selection.subscribe, () => selection.version)
  const { count, multiple } = selection
  const chosen = count === 0 ? [] : chosenOf(selection, entries)
  const size = chosen.reduce((sum, one) => sum + (one.size ?? 0), 0)
  const words = t('files.selected', { count, number: formatNumber(count) })
  const any = chosen.length > 0
  return (
    <>
      <p className="sr-only" role="status" aria-live="polite">
        {count === 0 ? '' : words}
      </p>
      {(count > 0 || multiple) && (
        <div className={classes(styles.bar, 'not-printed')} role="toolbar" aria-label={t('files.dock')} data-part="dock">
          <IconButton label={t('files.action.clear')} shortcut="Esc" icon={X} onClick={() => selection.clear()} />
          <p className={styles.words}>
            <span className={styles.count}>{words}</span>
            {size > 0 && <bdi className="muted text-caption">{formatBytes(size)}</bdi>}
          </p>
          <div className={styles.actions}>
            {any && actions.mayRestore && (
              <>
                <Action label={t('trash.restore')} icon={RotateCcw} phone={phone} onDo={() => actions.restore(chosen)} />
                <Action label={t('trash.restore-to')} icon={FolderInput} phone={phone} onDo={() => actions.restoreTo(chosen)} />
              </>
            )}
            {any && actions.mayRemove(chosen) && (
              <Action label={t('files.action.delete-permanently')} icon={Trash2} phone={phone} danger onDo={() => actions.remove(chosen)} />
            )}
          </div>
        </div>
      )}
    </>
  )
}

interface ActionProps {
  label: string
  icon: ButtonIcon
  phone: boolean
  danger?: boolean
  onDo: () => void
}

/** With a label if there is room. */
function Action({ label, icon, phone, danger = false, onDo }: ActionProps) {
  if (phone) return <IconButton label={label} icon={icon} variant={danger ? 'danger' : 'quiet'} onClick={onDo} />
  return <Button label={label} size="small" variant="quiet" className={danger ? styles.danger : styles.action} icon={icon} onClick={onDo} />
}

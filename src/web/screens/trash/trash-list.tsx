import { useEffect, useRef, useState } from 'react'
import type { Selection } from '../../data/selection.ts'
import type { Trashed } from '../../data/trash.ts'
import { t } from '../../i18n/i18n.tsx'
import { ContextMenu, prepareContextMenu } from '../../ui/context-menu.tsx'
import type { MenuAnchor } from '../../ui/menu-entry.ts'
import { TrashGrid, type TrashGridHandle } from './trash-grid.tsx'
import styles from './trash-screen.module.css'
import { trashMenu } from './trash-menu.ts'
import type { TrashActions } from './use-trash-actions.ts'
import { useTrashKeys } from './use-trash-keys.ts'
import { chosenOf } from './use-trash-selection.ts'

const FOCUS_BACK_MS = 250

export interface TrashListProps {
  entries: readonly Trashed[]
  selection: Selection
  actions: TrashActions
  phone: boolean
  /** Whether to name the person who deleted. */
  who: boolean
  hasMore: boolean
  /** How many pages have been loaded; a page may be empty. */
  pages: number
  onMore: () => void
}

/** The list with its keys and its menu. */
export function TrashList({ entries, selection, actions, ...shown }: TrashListProps) {
  const grid = useRef<TrashGridHandle>(null)
  const [menuAt, setMenuAt] = useState<MenuAnchor | null>(null)
  useTrashKeys({ entries, selection, actions, grid, onMenu: setMenuAt })
  // A closing dialog restores focus to a row that no longer exists.
  useEffect(() => {
    const next = requestAnimationFrame(() => grid.current?.keepFocus())
    const timer = setTimeout(() => grid.current?.keepFocus(), FOCUS_BACK_MS)
    return () => {
      cancelAnimationFrame(next)
      clearTimeout(timer)
    }
  }, [entries])
  return (
    <div className={styles.list} onPointerMove={prepareContextMenu} onFocus={prepareContextMenu}>
      <TrashGrid
        ref={grid}
        entries={entries}
        selection={selection}
        {...shown}
        onOpen={(index) => {
          const entry = entries[index]
          if (entry) actions.open(entry)
        }}
        onMenu={setMenuAt}
      />
      <ContextMenu
        at={menuAt}
        label={t('files.menu')}
        entries={menuAt === null ? [] : trashMenu(chosenOf(selection, entries), actions)}
        onClose={() => {
          setMenuAt(null)
          if (selection.focus !== null) grid.current?.focusOn(selection.focus)
        }}
      />
    </div>
  )
}

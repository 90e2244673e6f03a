import { useEffect, useRef } from 'react'
import { ROOT } from '../../../../shared/file-path.ts'
import type { Listing } from '../../../data/listing.ts'
import { type PaletteCommand, registerPaletteSource } from '../../../data/palette.ts'
import { useKeepsRecent } from '../../../data/favourites.ts'
import { clearRecentFolders, recordFolder } from '../../../data/recent-folders.ts'
import type { Selection } from '../../../data/selection.ts'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { type Action, ACTIONS } from '../actions.ts'
import type { ActionName } from '../action-rules.ts'
import { ENTRY_MENU, FOLDER_MENU } from '../menu-entries.ts'
import { shortcutText } from '../shortcuts.ts'
import type { ListingActions } from './use-listing-actions.ts'

const OF_SELECTION: readonly ActionName[] = [...ENTRY_MENU.flat(), 'delete-permanently', 'clear']
/** The palette has undo and redo itself, on every screen. */
const OF_FOLDER: readonly ActionName[] = [...FOLDER_MENU.flat(), 'select-multiple' as const, 'parent' as const].filter(
  (action) => action !== 'undo' && action !== 'redo',
)

/** Contributes the available actions to the command palette. */
export function usePalette(listing: Listing, selection: Selection, { available, run }: ListingActions): void {
  const latest = useRef({ listing, selection, available: available, run })
  useEffect(() => {
    latest.current = { listing, selection, available: available, run }
  })
  // Synchronises with the palette.
  useEffect(
    () =>
      registerPaletteSource(() => {
        const now = latest.current
        const commands = (actions: readonly ActionName[]) => actions.filter(now.available).map((action) => commandOf(action, now.run))
        const { count } = now.selection
        return {
          listing: now.listing,
          selected: count === 0 ? null : whatIsSelected(now.listing, now.selection),
          selectionCommands: count === 0 ? [] : commands(OF_SELECTION),
          // With a selection, actions that apply to both are shown for the selection only.
          folderCommands: commands(OF_FOLDER).filter(({ id }) =>
            isOfFolder(id, { selected: count > 0, atRoot: now.listing.path === ROOT }),
          ),
        }
      }),
    [],
  )
  const keeps = useKeepsRecent()
  useEffect(() => {
    if (keeps === true) recordFolder(listing.path)
    if (keeps === false) clearRecentFolders()
  }, [listing.path, keeps])
}

function isOfFolder(id: string, { selected, atRoot }: { selected: boolean; atRoot: boolean }): boolean {
  if (id === 'parent') return !atRoot
  return !selected || !OF_SELECTION.some((action) => action === id)
}

function commandOf(action: ActionName, run: (action: ActionName) => void): PaletteCommand {
  const { text, icon, danger = false }: Action = ACTIONS[action]
  return { id: action, text: t(text), icon, danger, keys: shortcutText(action), run: () => run(action) }
}

function whatIsSelected(listing: Listing, selection: Selection): string {
  const [index] = selection.chosen()
  const { count } = selection
  return count === 1 && index !== undefined ? displayName(listing.names[index] ?? '') : formatNumber(count)
}

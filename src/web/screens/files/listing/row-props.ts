import { useSyncExternalStore } from 'react'
import type { FilePath } from '../../../../shared/file-path.ts'
import { urlFromPath, fullAddress } from '../../../data/paths.ts'
import { entryOf, type Listing } from '../../../data/listing.ts'
import type { Selection } from '../../../data/selection.ts'

/** Common props of rows, chips and tiles. */
export interface RowProps {
  readonly listing: Listing
  readonly index: number
  readonly selection: Selection
  /** Whether it is the grid's Tab stop (roving tabindex). */
  readonly tabbable: boolean
  readonly cut: boolean
  readonly stars: ReadonlySet<FilePath>
  /** Paths with a share link of the user. */
  readonly shared: ReadonlySet<FilePath>
  readonly canDrag: boolean
}

/** An entry and its own state, so that a row is not rendered when others change. */
export function useRow({ listing, index, selection, tabbable, cut, stars, shared, canDrag }: RowProps) {
  useSyncExternalStore(selection.subscribe, () => selection.stateOf(index))
  const entry = entryOf(listing, index)
  const selected = selection.has(index)
  return {
    entry,
    starred: stars.has(entry.path),
    shared: shared.has(entry.path),
    selected,
    href: fullAddress(urlFromPath(entry.path, { folder: entry.isDir })),
    /** Attributes of the entry's element, by which event handlers and drops identify it. */
    attributes: {
      'data-item': index,
      'data-drop': entry.isDir ? entry.path : undefined,
      'data-cut': cut ? '' : undefined,
      'aria-selected': selected,
      tabIndex: tabbable ? 0 : -1,
      draggable: canDrag,
    },
  }
}

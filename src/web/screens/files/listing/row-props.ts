import { useSyncExternalStore } from 'react'
import type { FilePath } from '../../../../shared/file-path.ts'
import { urlFromPath, fullAddress } from '../../../data/paths.ts'
import { entryOf, type ListedEntry, type Listing } from '../../../data/listing.ts'
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

export interface RowFacts {
  readonly entry: ListedEntry
  readonly starred: boolean
  readonly shared: boolean
  readonly selected: boolean
  readonly href: string
  /** Attributes of the entry's element, by which event handlers and drops identify it. */
  readonly attributes: {
    readonly 'data-item': number
    readonly 'data-drop': string | undefined
    readonly 'data-cut': '' | undefined
    readonly 'aria-selected': boolean
    readonly tabIndex: number
    readonly draggable: boolean
  }
}

/** An entry and its own state, so that a row is not rendered when others change. */
export function useRow({ listing, index, selection, tabbable, cut, stars, shared, canDrag }: RowProps): RowFacts {
  useSyncExternalStore(selection.subscribe, () => selection.stateOf(index))
  const entry = entryOf(listing, index)
  const selected = selection.has(index)
  return {
    entry,
    starred: stars.has(entry.path),
    shared: shared.has(entry.path),
    selected,
    href: fullAddress(urlFromPath(entry.path, { folder: entry.isDir })),
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

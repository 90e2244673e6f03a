import { useSyncExternalStore } from 'react'
import type { FilePath } from '../../../../shared/file-path.ts'
import { urlFromPath, fullAddress } from '../../../data/paths.ts'
import { entryOf, type ListedEntry, type Listing } from '../../../data/listing.ts'
import type { Selection } from '../../../data/selection.ts'

/** What every row, chip and tile is given. */
export interface RowProps {
  readonly listing: Listing
  readonly index: number
  readonly selection: Selection
  /** The grid's one Tab stop. */
  readonly tabbable: boolean
  readonly cut: boolean
  readonly stars: ReadonlySet<FilePath>
  /** What has a link of one's own. */
  readonly shared: ReadonlySet<FilePath>
  readonly canDrag: boolean
}

export interface RowFacts {
  readonly entry: ListedEntry
  readonly starred: boolean
  readonly shared: boolean
  readonly selected: boolean
  readonly href: string
  /** For the element that is the entry: what handlers and drops find it by. */
  readonly attributes: {
    readonly 'data-item': number
    readonly 'data-drop': string | undefined
    readonly 'data-cut': '' | undefined
    readonly 'aria-selected': boolean
    readonly tabIndex: number
    readonly draggable: boolean
  }
}

/** One entry and its own state: a click elsewhere does not draw it again. */
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

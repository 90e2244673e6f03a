import { useMemo, useState } from 'react'
import { entryOf } from '../../data/listing.ts'
import { useRecentFiles } from '../../data/favourites-api.ts'
import { useFavourites } from '../../data/favourites.ts'
import { paletteSource } from '../../data/palette.ts'
import { recentFolders } from '../../data/recent-folders.ts'
import { t } from '../../i18n/i18n.tsx'
import { choose, namesChooser } from './choose.ts'
import {
  contentEntries,
  deedEntries,
  type Entry,
  frameEntries,
  type Go,
  languageEntries,
  placeEntry,
  placesEntries,
  themeEntries,
} from './entries.tsx'
import { useFound } from './use-found.ts'

export interface Group {
  readonly id: string
  readonly title: string
  readonly entries: readonly Entry[]
}

const MOST_NAMES = 6
const MOST_FAVOURITES = 6
const MOST_RECENT = 5
const ALL = 50

/** What the palette offers for what is typed: with nothing typed what one can do here, else whatever is called so. */
export function useGroups(typed: string, go: Go): { groups: readonly Group[]; state: 'idle' | 'searching' | 'failed' } {
  // As it was when the palette opened.
  const [source] = useState(paletteSource)
  const [recent] = useState(recentFolders)
  const [names] = useState(() => namesChooser(source?.listing.names ?? []))
  const { hits, state } = useFound(typed)
  const favourites = useFavourites()
  const { data: files } = useRecentFiles()

  const groups = useMemo(() => {
    // A file that is closed leads back to the folder it was opened from.
    const place = (at: Parameters<typeof placeEntry>[0]) => placeEntry(at, go, source === null ? null : { from: 'listing' })
    const here =
      source === null ? [] : names(typed, MOST_NAMES).map((index) => ({ ...place(entryOf(source.listing, index)), detail: undefined }))
    const starred = choose(favourites.map(place), typed, MOST_FAVOURITES).filter(unlike(here))
    const folders = recent.filter((path) => path !== source?.listing.path).map((path) => ({ path, isDir: true }))
    const lately = [...choose((files ?? []).map(place), typed, MOST_RECENT), ...choose(folders.map(place), typed, MOST_RECENT)]
    const seen = lately.filter(unlike([...here, ...starred]))
    const found = hits.map(place).filter(unlike([...here, ...starred, ...seen]))
    // Not before names that are called so: Enter would take it for them.
    const inFiles = state === 'searching' && found.length === 0 ? [] : contentEntries(typed)
    const of = (id: string, title: string, entries: readonly Entry[]): Group => ({ id, title, entries: choose(entries, typed, ALL) })
    return [
      { id: 'here', title: t('palette.here'), entries: here },
      of('selection', t('palette.selection', { what: source?.selected ?? '' }), deedEntries(source?.selectionCommands ?? [])),
      of('folder', t('palette.folder'), deedEntries(source?.folderCommands ?? [])),
      { id: 'favourites', title: t('title.favourites'), entries: starred },
      { id: 'recent', title: t('title.recent'), entries: seen },
      of('go', t('palette.go'), placesEntries(go)),
      of('theme', t('frame.theme'), themeEntries()),
      of('language', t('settings.language'), typed.trim() !== '' ? languageEntries() : []),
      of('frame', t('palette.more'), frameEntries()),
      { id: 'found', title: t('palette.found'), entries: [...found, ...inFiles] },
    ].filter(({ entries }) => entries.length > 0)
  }, [source, names, recent, favourites, files, typed, hits, state, go])
  return { groups, state }
}

function unlike(others: readonly Entry[]): (entry: Entry) => boolean {
  const ids = new Set(others.map(({ id }) => id))
  return ({ id }) => !ids.has(id)
}

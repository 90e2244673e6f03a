import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { entryOf } from '../../data/listing.ts'
import { latestQuery } from '../../data/operations.ts'
import { useRecentFiles } from '../../data/recent-files.ts'
import { useFavourites } from '../../data/favourites.ts'
import { paletteSource } from '../../data/palette.ts'
import { recentFolders } from '../../data/recent-folders.ts'
import { t } from '../../i18n/i18n.tsx'
import { ROOT } from '../../../shared/file-path.ts'
import { useFolderName } from '../../screens/files/folder-name.ts'
import { rankMatches, createNameMatcher } from './rank-matches.ts'
import {
  contentEntries,
  commandEntries,
  type Entry,
  frameEntries,
  type Go,
  languageEntries,
  pathEntry,
  navigationEntries,
  themeEntries,
  undoEntries,
} from './entries.tsx'
import { useNameSearch } from './use-name-search.ts'

export interface Group {
  readonly id: string
  readonly title: string
  readonly entries: readonly Entry[]
}

const MOST_NAMES = 6
const MOST_FAVOURITES = 6
const MOST_RECENT = 5
const ALL = 50

/** Groups of palette entries for the typed text; without input, the commands of the current screen. */
export function useGroups(typed: string, go: Go): { groups: readonly Group[]; state: 'idle' | 'searching' | 'failed' } {
  // The source at the time the palette opened.
  const [source] = useState(paletteSource)
  const [recent] = useState(recentFolders)
  const [names] = useState(() => createNameMatcher(source?.listing.names ?? []))
  const { hits, state } = useNameSearch(typed)
  const favourites = useFavourites()
  const { data: files } = useRecentFiles()
  const { data: latest } = useQuery(latestQuery)
  const root = useFolderName()(ROOT)

  const groups = useMemo(() => {
    // Closing the file returns to the folder that it was opened from.
    const place = (at: Parameters<typeof pathEntry>[0]) => pathEntry(at, { go, state: source === null ? null : { from: 'listing' }, root })
    const here =
      source === null ? [] : names(typed, MOST_NAMES).map((index) => ({ ...place(entryOf(source.listing, index)), detail: undefined }))
    const starred = rankMatches(favourites.map(place), typed, MOST_FAVOURITES).filter(unlike(here))
    const folders = recent.filter((path) => path !== source?.listing.path).map((path) => ({ path, isDir: true }))
    const lately = [...rankMatches((files ?? []).map(place), typed, MOST_RECENT), ...rankMatches(folders.map(place), typed, MOST_RECENT)]
    const seen = lately.filter(unlike([...here, ...starred]))
    const found = hits.map(place).filter(unlike([...here, ...starred, ...seen]))
    // Not before the name results: Enter would choose it instead of them.
    const inFiles = state === 'searching' && found.length === 0 ? [] : contentEntries(typed)
    const of = (id: string, title: string, entries: readonly Entry[]): Group => ({ id, title, entries: rankMatches(entries, typed, ALL) })
    return [
      { id: 'here', title: t('palette.here'), entries: here },
      of('selection', t('palette.selection', { what: source?.selected ?? '' }), commandEntries(source?.selectionCommands ?? [])),
      of('folder', t('palette.folder'), commandEntries(source?.folderCommands ?? [])),
      { id: 'favourites', title: t('title.favourites'), entries: starred },
      { id: 'recent', title: t('title.recent'), entries: seen },
      of('go', t('palette.go'), navigationEntries(go)),
      of('theme', t('frame.theme'), themeEntries()),
      of('language', t('settings.language'), typed.trim() !== '' ? languageEntries() : []),
      of('frame', t('palette.more'), [...undoEntries(latest), ...frameEntries()]),
      { id: 'found', title: t('palette.found'), entries: [...found, ...inFiles] },
    ].filter(({ entries }) => entries.length > 0)
  }, [source, root, names, recent, favourites, files, latest, typed, hits, state, go])
  return { groups, state }
}

function unlike(others: readonly Entry[]): (entry: Entry) => boolean {
  const ids = new Set(others.map(({ id }) => id))
  return ({ id }) => !ids.has(id)
}

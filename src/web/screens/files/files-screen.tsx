import { Suspense, useState } from 'react'
import { useLocation } from '../../router/router.tsx'
import { AppError } from '../../../shared/errors.ts'
import { type FilePath, nameOf, parentOf, ROOT } from '../../../shared/file-path.ts'
import { useResource } from '../../data/folders.ts'
import type { FolderRights, Resource } from '../../data/listing.ts'
import { pathFromLocation } from '../../data/paths.ts'
import { RightsContext } from '../../data/rights.ts'
import { useTitle } from '../../data/title.ts'
import { displayName } from '../../widgets/display-name.ts'
import { registerAccess } from './access/kinds.ts'
import { registerActivity } from './activity/kinds.ts'
import { FileView } from './file-view.tsx'
import { ListingScreen } from './listing/listing-screen.tsx'
import { Skeleton } from './listing/skeleton.tsx'
import type { Visit } from './listing/use-selection.ts'
import { registerFilePrompts } from './prompts/kinds.ts'
import { registerSearch } from './search/kinds.ts'
import { type SearchPlace, useSearch } from './search/use-search.ts'
import { registerUsage } from './usage/kinds.ts'
import { registerSnapshots } from './snapshots/kinds.ts'
import { registerVersions } from './versions/kinds.ts'
import { describeFileShortcuts } from './shortcuts.ts'

registerFilePrompts()
registerSearch()
registerUsage()
registerVersions()
registerSnapshots()
registerActivity()
registerAccess()
describeFileShortcuts()

/** The files area: shows a folder, a text or a preview, depending on the address. Errors go to the route's error page. */
export function FilesScreen() {
  const { pathname } = useLocation()
  const address = pathFromLocation(pathname)
  if (address === null) throw new AppError('not-found', {})
  return <PathView path={address.path} />
}

function PathView({ path }: { path: FilePath }) {
  const { place } = useResource(path)
  const visit = useVisitOf(place?.path === path ? path : null)
  useSearch(searchPlace(place, path))
  useTitle(path === ROOT ? null : displayName(nameOf(path)))
  if (place === null) return <Skeleton path={path} />
  return (
    <RightsContext value={rightsOf(place)}>
      {place.kind === 'folder' ? (
        <ListingScreen key={place.path} listing={place} visit={visit} />
      ) : (
        <Suspense fallback={<Skeleton path={place.path} />}>
          <FileView place={place} />
        </Suspense>
      )}
    </RightsContext>
  )
}

function rightsOf(place: Resource): FolderRights | null {
  if (place.kind === 'folder') return place.rights
  const { rights } = place.file
  return rights === undefined ? null : { here: rights, of: {} }
}

function searchPlace(place: Resource | null, path: FilePath): SearchPlace {
  if (place?.kind !== 'file') return { folder: place?.path ?? path, showing: 'listing' }
  const { type } = place.file
  return { folder: parentOf(place.path), showing: type === 'text' || type === 'textImmutable' ? 'text' : 'other' }
}

/** The visit of the resource on screen; while the next one loads, still the previous visit. */
function useVisitOf(shown: FilePath | null): Visit {
  const { key, state, navigationType } = useLocation()
  const now: Visit = { key, returned: navigationType === 'pop', ...requestOf(state) }
  const [last, setLast] = useState(now)
  if (shown !== null && last.key !== key) setLast(now)
  return shown === null ? last : now
}

/** What the navigation state asked for. */
function requestOf(state: unknown): Pick<Visit, 'focus' | 'reveal'> {
  const focus = typeof state === 'object' && state !== null && 'focus' in state ? state.focus : null
  if (typeof focus !== 'string') return { focus: null, reveal: false }
  return { focus, reveal: typeof state === 'object' && state !== null && 'reveal' in state && state.reveal === true }
}

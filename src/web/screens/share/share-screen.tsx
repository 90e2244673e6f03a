import { Suspense } from 'react'
import { useLocation } from '../../router/router.tsx'
import { AppError, isAppError } from '../../../shared/errors.ts'
import { inTime } from '../../data/chunks.ts'
import { useRetryWhenReachable } from '../../data/reachable.ts'
import { useTitle } from '../../data/title.ts'
import { shareLocationFrom, type ShareLocation, useSharedResource, type SharedResource } from '../../data/shared-resource.ts'
import { t } from '../../i18n/i18n.tsx'
import { lazyPart } from '../../i18n/lazy-part.ts'
import { displayName } from '../../widgets/display-name.ts'
import { Failure, failureKind } from '../../widgets/failure.tsx'
import { Loading } from '../../widgets/loading.tsx'
import { FolderPage } from './folder-page.tsx'

const FilePage = lazyPart(async () => (await inTime(import('./file-page.tsx'))).FilePage)
const PasswordCard = lazyPart(async () => (await inTime(import('./password-card.tsx'))).PasswordCard)
const DropPage = lazyPart(async () => (await inTime(import('./drop-page.tsx'))).DropPage)
const ClosedCard = lazyPart(async () => (await inTime(import('./closed-card.tsx'))).ClosedCard)
const EndedCard = lazyPart(async () => (await inTime(import('./ended-card.tsx'))).EndedCard)
const FileStage = lazyPart(async () => (await inTime(import('./file-preview.tsx'))).FilePreview)

/** What a link leads to: the password form, a folder, or a file. */
export function ShareScreen() {
  const { pathname } = useLocation()
  const place = shareLocationFrom(pathname)
  if (place === null) throw new AppError('not-found', {})
  return <LocationView key={place.hash} place={place} />
}

function LocationView({ place }: { place: ShareLocation }) {
  const { data: visited, error, refetch } = useSharedResource(place)
  useTitle(visited === undefined ? null : titleOf(visited))
  const onRetry = () => void refetch()
  useRetryWhenReachable(error, onRetry)

  const waiting = <Loading height="40dvh" size={28} />
  if (visited === undefined && error === null) return waiting
  const kind = failureKind(error)
  const failure =
    kind === 'not-found' ? (
      <Suspense fallback={waiting}>
        <EndedCard onRetry={onRetry} />
      </Suspense>
    ) : (
      <Failure kind={kind} error={error} onRetry={onRetry} />
    )
  const isGone = isAppError(error, 'not-found')
  const content = () => {
    // Keep showing the page until the server rejects the ticket.
    if (visited === undefined || isAppError(error, 'share-password-needed') || (isGone && visited.kind !== 'drop')) {
      if (isAppError(error, 'share-not-yet')) return <ClosedCard error={error} />
      return isAppError(error, 'share-password-needed') ? <PasswordCard place={place} /> : failure
    }
    if (visited.kind === 'drop') return <DropPage hash={place.hash} link={visited.link} gone={isGone ? failure : null} />
    if (visited.kind === 'folder') return <FolderPage key={visited.path} hash={place.hash} folder={visited} />
    const { file, link, path } = visited
    return visited.isWholeShare ? (
      <FilePage hash={place.hash} file={file} link={link} />
    ) : (
      <FileStage key={path} hash={place.hash} path={path} file={file} link={link} />
    )
  }
  return <Suspense fallback={waiting}>{content()}</Suspense>
}

function titleOf({ kind, name, link, isWholeShare }: SharedResource): string {
  if (isWholeShare && link.title !== '') return displayName(link.title)
  if (kind === 'drop') return t('visit.drop')
  return name === '' ? t('visit.whole') : displayName(name)
}

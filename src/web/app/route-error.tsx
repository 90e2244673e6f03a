import { useQueryClient } from '@tanstack/react-query'
import { ChunkMissing } from '../data/chunks.ts'
import { useRetryWhenReachable } from '../data/reachable.ts'
import { CURRENT_SHARE, HOME_URL } from '../data/share-context.ts'
import { t } from '../i18n/i18n.tsx'
import { Link, useLocation, useNavigate } from '../router/router.tsx'
import { buttonClassName } from '../ui/button.tsx'
import { Failure, failureKind, isTemporary } from '../widgets/failure.tsx'

/** The error page for an error that a screen threw: not found, forbidden, or other. */
export function RouteError({ error }: { error: unknown }) {
  const navigate = useNavigate()
  const { pathname, search, hash } = useLocation()
  const queries = useQueryClient()
  const missing = error instanceof ChunkMissing
  const kind = missing ? 'slow' : failureKind(error)

  const className = buttonClassName({ variant: isTemporary(kind) ? 'secondary' : 'primary' })
  const retry = () => {
    if (missing) return location.reload()
    void queries.resetQueries({ predicate: (query) => query.state.status === 'error' })
    // A navigation, even to the same address, resets the error boundary.
    navigate(pathname + search + hash, { replace: true })
  }
  useRetryWhenReachable(error, retry)
  return (
    <Failure kind={kind} error={error} onRetry={retry}>
      {CURRENT_SHARE === null ? (
        <Link to="/files/" className={className}>
          {t('errors.home')}
        </Link>
      ) : (
        <a href={`${HOME_URL}/with-me`} className={className}>
          {t('title.with-me')}
        </a>
      )}
    </Failure>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { ChunkMissing } from '../data/chunks.ts'
import { t } from '../i18n/i18n.tsx'
import { Link, useLocation, useNavigate } from '../router/router.tsx'
import { buttonClassName } from '../ui/button.tsx'
import { Failure, failureKind } from '../widgets/failure.tsx'

/** What a screen threw, as the specification's pages: not found, forbidden, and everything else. */
export function RouteError({ error }: { error: unknown }) {
  const navigate = useNavigate()
  const { pathname, search, hash } = useLocation()
  const queries = useQueryClient()
  const missing = error instanceof ChunkMissing

  const retry = () => {
    if (missing) return location.reload()
    void queries.resetQueries({ predicate: (query) => query.state.status === 'error' })
    // The router's boundary opens again when the location is a new one, even of the same address.
    navigate(pathname + search + hash, { replace: true })
  }
  return (
    <Failure kind={missing ? 'slow' : failureKind(error)} error={error} onRetry={retry}>
      <Link to="/files/" className={buttonClassName({ variant: 'primary' })}>
        {t('errors.home')}
      </Link>
    </Failure>
  )
}

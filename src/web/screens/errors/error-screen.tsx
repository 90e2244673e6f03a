import { Link } from '../../router/router.tsx'
import { t } from '../../i18n/i18n.tsx'
import { buttonClassName } from '../../ui/button.tsx'
import { Failure } from '../../widgets/failure.tsx'

/** The pages /403, /404 and /500. */
export function ErrorScreen({ what }: { what: 'forbidden' | 'not-found' | 'server' }) {
  return (
    <Failure kind={what}>
      <Link to="/files/" className={buttonClassName({ variant: 'primary' })}>
        {t('errors.home')}
      </Link>
    </Failure>
  )
}

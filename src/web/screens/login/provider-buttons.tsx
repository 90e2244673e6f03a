import { pageConfig } from '../../data/page-config.ts'
import { safeRedirect } from '../../data/paths.ts'
import { keepSession } from '../../data/session.ts'
import { useSearchParams } from '../../router/router.tsx'
import { t } from '../../i18n/i18n.tsx'
import { buttonClassName } from '../../ui/button.tsx'
import styles from './login-screen.module.css'

/** A link to each provider, which leads back to the page that was asked for. */
export function ProviderButtons({ remember }: { remember: boolean }) {
  const to = safeRedirect(useSearchParams().get('redirect'))
  if (pageConfig.Providers.length === 0) return null
  return (
    <div className={styles.providers} data-part="providers">
      {pageConfig.Providers.map(({ id, name }) => (
        <a
          key={id}
          className={buttonClassName({ size: 'large', wide: true, variant: pageConfig.ProvidersOnly ? 'primary' : 'secondary' })}
          href={`${pageConfig.BaseURL}/api/oidc/${id}/start?${new URLSearchParams({ to, remember: String(remember) })}`}
          onClick={() => keepSession({ remember })}
        >
          <span className="ellipsis">{t('login.provider', { name: `\u2068${name}\u2069` })}</span>
        </a>
      ))}
    </div>
  )
}

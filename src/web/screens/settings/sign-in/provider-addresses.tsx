import { copyAndTell } from '../../../data/copy-text.ts'
import { t } from '../../../i18n/i18n.tsx'
import { CopyButton } from '../../../widgets/copy-button.tsx'
import styles from './sign-in-screen.module.css'

/** What is registered at the provider. @param props.id null while it is not known */
export function ProviderAddresses({ id, addresses: { origin, base } }: { id: string | null; addresses: { origin: string; base: string } }) {
  if (id === null) return null
  const at = `${origin}${base}/api/oidc/${id}`
  const rows = [
    [t('signin.redirect'), `${at}/callback`],
    [t('signin.backchannel'), `${at}/backchannel`],
    [t('signin.signed-out'), `${origin}${base}/login`],
  ] as const
  return (
    <div className={styles.addresses}>
      <p className="text-small strong">{t('signin.register')}</p>
      <dl>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt className="muted text-small">{label}</dt>
            <dd>
              <bdi dir="ltr" className="break-anywhere">
                {value}
              </bdi>
              <CopyButton
                label={`${t('signin.copy')}: ${label}`}
                copy={() => copyAndTell(value, { done: t('shell.copied'), failed: t('signin.not-copied') })}
              />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

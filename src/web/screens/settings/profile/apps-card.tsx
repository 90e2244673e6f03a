import { copyAndTell } from '../../../data/copy-text.ts'
import { pageConfig } from '../../../data/page-config.ts'
import { type MessageKey, t } from '../../../i18n/i18n.tsx'
import { Card } from '../../../ui/card.tsx'
import { CopyButton } from '../../../widgets/copy-button.tsx'
import styles from './apps-card.module.css'

const SYSTEMS: readonly (readonly [system: string, how: MessageKey])[] = [
  ['Windows', 'apps.windows'],
  ['macOS', 'apps.macos'],
  ['Linux', 'apps.linux'],
  ['Android, iOS', 'apps.phone'],
]

/** How to reach one's files by WebDAV: the address, and a line for each system. */
export function AppsCard() {
  const address = `${window.location.origin}${pageConfig.BaseURL}/dav/`
  const copy = (): Promise<boolean> => copyAndTell(address, { failed: t('apps.copy-failed') })
  return (
    <Card title={t('apps.title')} text={t('apps.text')}>
      <p className={styles.address}>
        <code className="grow break-anywhere shrinkable" dir="ltr" aria-label={t('apps.address')}>
          {address}
        </code>
        <CopyButton label={t('apps.copy')} copy={copy} />
      </p>
      <dl className={styles.systems}>
        {SYSTEMS.map(([system, how]) => (
          <div key={system}>
            <dt className="text-small strong">
              <bdi>{system}</bdi>
            </dt>
            <dd className="muted text-small">{t(how)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

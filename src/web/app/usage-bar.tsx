import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { resources } from '../../shared/contract/resources.ts'
import { ROOT } from '../../shared/file-path.ts'
import { clientFor } from '../data/client.ts'
import { QUOTAS_KEY } from '../data/query.ts'
import { whenIdle } from '../data/when-idle.ts'
import { formatBytes, formatPercent } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import { lazyPart } from '../i18n/lazy-part.ts'
import { Progress } from '../ui/progress.tsx'
import styles from './usage-bar.module.css'

const client = clientFor({ resources })

const FRESH_MS = 60_000
const WARN_AT = 0.9

const OwnQuotas = lazyPart(
  async () => (await import('./own-quotas.tsx')).OwnQuotas,
  () => whenIdle(2000),
)

/** Usage of the disk or, if that leaves less room, of the user's quota; renders nothing while it is unknown. */
export function UsageBar() {
  const usage = useQuery({
    queryKey: [...QUOTAS_KEY, 'disk'],
    queryFn: ({ signal }) => client.resources.usage({ params: { path: ROOT, slash: true } }, { signal }),
    staleTime: FRESH_MS,
    retry: false,
  }).data
  if (usage === undefined || usage.total <= 0) return null
  const part = usage.used / usage.total
  const text = t('frame.usage', { used: formatBytes(usage.used), total: formatBytes(usage.total) })
  return (
    <div className={styles.usage} data-tooltip={formatPercent(part)} data-part="usage">
      <bdi className="muted text-caption">{text}</bdi>
      <Progress label={text} value={part} tone={part >= WARN_AT ? 'danger' : 'accent'} />
      <Suspense>
        <OwnQuotas />
      </Suspense>
    </div>
  )
}

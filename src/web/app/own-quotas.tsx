import { countedOf, useOwnQuotas } from '../data/quotas.ts'
import { t } from '../i18n/i18n.tsx'
import { Progress } from '../ui/progress.tsx'

const WARN_AT = 0.9

/** The user's limit of files and folders, if there is one: the strictest. */
export function OwnQuotas() {
  const counts = (useOwnQuotas() ?? []).map(({ files }) => countedOf(files)).filter((one) => one !== null)
  const strictest = counts.toSorted((a, b) => a.limit - a.used - (b.limit - b.used))[0]
  if (strictest === undefined) return null
  const { limit, used } = strictest
  const part = limit === 0 ? 1 : used / limit
  const text = t('quota.files.used', { used, limit })
  return (
    <>
      <bdi className="muted text-caption">{text}</bdi>
      <Progress label={text} value={part} tone={part >= WARN_AT ? 'danger' : 'accent'} />
    </>
  )
}

import { useMemo } from 'react'
import type { Effect, EffectSide, PersonEffect, PlannedChange } from '../../../../shared/contract/explain.ts'
import { usePlannedEffect } from '../../../data/explain.ts'
import { formatCounts } from '../../../i18n/counts.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { useSettled } from '../../../ui/use-settled.ts'
import { displayName } from '../../../widgets/display-name.ts'
import styles from './effect-text.module.css'

/** Nothing is asked while somebody types. */
const SETTLED_MS = 400

/** What a change would open and close, for whom, before it is saved; nothing without a change. Screen readers are told when it has been counted. */
export function EffectText({ change }: { change: PlannedChange | null }) {
  const now = JSON.stringify(change)
  const settled = useSettled(now, SETTLED_MS)
  const { data, isFetching } = usePlannedEffect(useMemo(() => parsed(settled), [settled]))
  return (
    <div aria-live="polite" aria-busy={isFetching} data-part="effect">
      {change !== null && data === undefined && isFetching && <p className="muted text-small">{t('effect.counting')}</p>}
      {change !== null && data !== undefined && <Told effect={data} />}
    </div>
  )
}

/** The text is that of a change, or nothing yet. */
function parsed(text: string): PlannedChange | null {
  return text === '' ? null : (JSON.parse(text) as PlannedChange | null)
}

function Told({ effect: { state, opens, closes } }: { effect: Effect }) {
  if (state === 'unknown') return <p className="muted text-small">{t('effect.unknown')}</p>
  return (
    <div className={styles.effect}>
      <p className="strong text-small">{t('effect.title')}</p>
      {state === 'complete' && opens.count + closes.count === 0 && <p className="muted text-small">{t('effect.none')}</p>}
      <Side title={t('effect.opens', { count: opens.count })} side={opens} />
      <Side title={t('effect.closes', { count: closes.count })} side={closes} />
      {state === 'stopped' && <p className="muted text-small">{t('effect.stopped')}</p>}
    </div>
  )
}

function Side({ title, side: { count, people } }: { title: string; side: EffectSide }) {
  if (count === 0) return null
  return (
    <div className="text-small">
      <p>{title}</p>
      <ul className={styles.people}>
        {people.map((person) => (
          <li key={person.username} className="muted break-anywhere">
            {personText(person)}
          </li>
        ))}
      </ul>
      {count > people.length && <p className="muted">{t('access.effect.more', { count: count - people.length })}</p>}
    </div>
  )
}

function personText({ username, bytes, what, examples, ...counts }: PersonEffect): string {
  const rights = what.map((name) => t(name === 'see' ? 'effect.see' : `perm.${name}`)).join(', ')
  const text = t('effect.person', { name: displayName(username), counts: formatCounts(counts), size: formatBytes(bytes), what: rights })
  if (examples.length === 0) return text
  const paths = examples.map(({ path, folder }) => displayName(folder && path !== '/' ? `${path}/` : path))
  return `${text} · ${t('effect.example', { paths: paths.join(', ') })}`
}

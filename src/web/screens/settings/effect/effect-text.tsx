import { useMemo } from 'react'
import type { Effect, EffectSide, PersonEffect, PlannedChange } from '../../../../shared/contract/explain.ts'
import { usePlannedEffect } from '../../../data/explain.ts'
import { formatCounts } from '../../../i18n/counts.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { useSettled } from '../../../ui/use-settled.ts'
import { displayName } from '../../../widgets/display-name.ts'
import { type RuleEngine, useRuleEngine } from '../../../widgets/use-rule-engine.ts'
import styles from './effect-text.module.css'

/** Nothing is asked while somebody types. */
const SETTLED_MS = 400

/** What a change would open and close, for whom, before it is saved; nothing without a change. Screen readers are told when it has been counted. */
export function EffectText({ change }: { change: PlannedChange | null }) {
  const engine = useRuleEngine()
  const asked = isValid(change, engine) ? change : null
  const now = JSON.stringify(asked)
  const settled = useSettled(now, SETTLED_MS)
  const { data, isFetching } = usePlannedEffect(useMemo(() => parsed(settled), [settled]))
  return (
    <div aria-live="polite" aria-busy={isFetching} data-part="effect">
      {asked !== null && data === undefined && isFetching && <p className="muted text-small">{t('effect.counting')}</p>}
      {asked !== null && data !== undefined && <Told effect={data} />}
    </div>
  )
}

/** Rules that are being typed could not be saved yet, so nothing is asked about them. */
function isValid(change: PlannedChange | null, engine: RuleEngine | null): boolean {
  const rules = change !== null && 'rules' in change ? (change.rules ?? []) : []
  return rules.length === 0 || (engine !== null && rules.every((rule) => engine.checkRule(rule) === null))
}

/** The text is that of a change, or nothing yet. */
function parsed(text: string): PlannedChange | null {
  return text === '' ? null : (JSON.parse(text) as PlannedChange | null)
}

function Told({ effect: { state, opens, closes } }: { effect: Effect }) {
  if (state === 'unknown') return <p className="muted text-small">{t('effect.unknown')}</p>
  if (state === 'too-many-patterns') return <p className="muted text-small">{t('effect.patterns')}</p>
  const isNothing = [opens, closes].every(({ count, links, shares }) => count + links + shares === 0)
  return (
    <div className={styles.effect}>
      <p className="strong text-small">{t('effect.title')}</p>
      {state === 'complete' && isNothing && <p className="muted text-small">{t('effect.none')}</p>}
      <Side title={t('effect.opens', { count: opens.count })} side={opens} />
      <GivenList title={t('effect.given.opens')} side={opens} />
      <Side title={t('effect.closes', { count: closes.count })} side={closes} />
      <GivenList title={t('effect.given.closes')} side={closes} />
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

/** Links and shares with people. */
function GivenList({ title, side: { links, shares, given } }: { title: string; side: EffectSide }) {
  if (links + shares === 0) return null
  return (
    <div className="text-small" data-part="given">
      <p>{title}</p>
      <ul className={styles.people}>
        <li className="muted">{t('effect.given.counts', { links, shares })}</li>
        {given.map((one) => (
          <li key={`${one.kind} ${one.owner} ${one.path}`} className="muted break-anywhere">
            {t(`effect.given.${one.kind}`, { name: displayName(one.owner), path: shownPath(one) })}
          </li>
        ))}
      </ul>
    </div>
  )
}

function shownPath({ path, folder }: { path: string; folder: boolean }): string {
  return displayName(folder && path !== '/' ? `${path}/` : path)
}

function personText({ username, bytes, what, examples, ...counts }: PersonEffect): string {
  const rights = what.map((name) => t(name === 'see' ? 'effect.see' : `perm.${name}`)).join(', ')
  const text = t('effect.person', { name: displayName(username), counts: formatCounts(counts), size: formatBytes(bytes), what: rights })
  if (examples.length === 0) return text
  const paths = examples.map(shownPath)
  return `${text} · ${t('effect.example', { paths: paths.join(', ') })}`
}

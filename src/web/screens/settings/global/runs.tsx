import { RotateCw } from 'lucide-react'
import type { HookRun } from '../../../../shared/contract/command.ts'
import { nameOf, parseFilePath } from '../../../../shared/file-path.ts'
import { formatDate, formatDateTime, formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { Part } from '../section.tsx'
import styles from './command-state.module.css'
import { EVENTS } from './form.ts'

/** A hook run or a webhook delivery. */
type Run = HookRun & { readonly url?: string }

export interface RunsProps {
  title: string
  /** Shown if there are none. */
  none: string
  /** Undefined while loading. */
  runs: readonly Run[] | undefined
  busy: boolean
  onRefresh: () => void
}

/** The latest hook runs or deliveries. */
export function Runs({ title, none, runs, busy, onRefresh }: RunsProps) {
  return (
    <Part title={title}>
      <div>
        {runs?.length === 0 && <p className="muted text-small">{none}</p>}
        {runs?.map((run) => (
          <OneRun key={run.id} run={run} />
        ))}
      </div>
      <div>
        <Button label={t('global.exec.refresh')} size="small" icon={<RotateCw size={16} aria-hidden />} busy={busy} onClick={onRefresh} />
      </div>
    </Part>
  )
}

/** The result; expandable details. */
function OneRun({ run }: { run: Run }) {
  const { url, username, path, state, attempts, output, created, ended } = run
  const name = displayName(nameOf(parseFilePath(path)))
  const facts: [string, string][] = [
    ...(url === undefined ? [] : [[t('webhooks.url'), url] satisfies [string, string]]),
    // Visitors have no user name.
    ...(username === '' ? [] : [[t('global.exec.user'), username] satisfies [string, string]]),
    [t('global.exec.path'), displayName(parseFilePath(path))],
    [t('global.exec.attempts'), formatNumber(attempts)],
    [t('global.exec.begun'), formatDateTime(new Date(created))],
    ...(ended === null ? [] : [[t('global.exec.ended'), formatDateTime(new Date(ended))] satisfies [string, string]]),
  ]
  return (
    <div className={styles.run} data-state={state} data-part="hook-run">
      <Disclosure
        label={t('global.exec.run', { event: eventName(run.event), name })}
        note={`${t(`global.exec.state.${state}`)} · ${formatDate(new Date(created))}`}
      >
        <dl className={styles.facts}>
          {facts.map(([term, value]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
        {output === '' ? (
          <p className="muted text-small">{t('global.exec.output.none')}</p>
        ) : (
          // Scrollable regions must be focusable.
          <pre className={styles.output} tabIndex={0} dir="ltr" role="region" aria-label={t('global.exec.output')}>
            {output}
          </pre>
        )}
      </Disclosure>
    </div>
  )
}

function eventName(event: string): string {
  const known = EVENTS.find((one) => one === event)
  return known === undefined ? event : t(`global.event.${known}`)
}

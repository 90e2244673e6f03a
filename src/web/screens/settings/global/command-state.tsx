import { CircleCheck, CircleSlash, RotateCw, TriangleAlert } from 'lucide-react'
import type { CommandState, HookRun } from '../../../../shared/contract/command.ts'
import { nameOf, parseFilePath } from '../../../../shared/file-path.ts'
import { useCommandState } from '../../../data/command-state.ts'
import { formatDate, formatDateTime, formatNumber } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { Part, Section } from '../section.tsx'
import styles from './command-state.module.css'
import { EVENTS } from './form.ts'

const ICON = { size: 18, strokeWidth: 1.75, 'aria-hidden': true, className: styles.icon }

/** Whether anything runs on this server and why not, and what became of the latest hooks. */
export function CommandStateCard() {
  const { data, error, isFetching, refetch } = useCommandState()
  return (
    <Section title={t('global.exec')} text={t('global.exec.text')}>
      {data === undefined ? (
        <p className={styles.none} role={error === null ? undefined : 'alert'}>
          {error === null ? <Spinner size={18} /> : `${t('global.exec.failed')} ${errorText(error)}`}
        </p>
      ) : (
        <Standing state={data} />
      )}
      <Part title={t('global.exec.runs')}>
        <div>
          {data?.runs.length === 0 && <p className={styles.none}>{t('global.exec.runs.none')}</p>}
          {data?.runs.map((run) => (
            <OneRun key={run.id} run={run} />
          ))}
        </div>
        <div>
          <Button size="small" icon={<RotateCw size={16} aria-hidden />} busy={isFetching} onClick={() => void refetch()}>
            {t('global.exec.refresh')}
          </Button>
        </div>
      </Part>
    </Section>
  )
}

function Standing({ state: { enabled, boxed, problem } }: { state: CommandState }) {
  const tone = enabled && boxed ? 'good' : enabled || problem !== null ? 'bad' : 'off'
  return (
    <div className={styles.standing} data-tone={tone} data-part="exec-state">
      {tone === 'good' ? <CircleCheck {...ICON} /> : tone === 'off' ? <CircleSlash {...ICON} /> : <TriangleAlert {...ICON} />}
      <div className={styles.words}>
        <p>{standingText({ enabled, boxed, problem })}</p>
        {problem !== null && (
          <Disclosure label={t('global.exec.detail')}>
            <pre className={styles.output} lang="en" dir="ltr">
              {problem}
            </pre>
          </Disclosure>
        )}
      </div>
    </div>
  )
}

function standingText({ enabled, boxed, problem }: Pick<CommandState, 'enabled' | 'boxed' | 'problem'>): string {
  if (enabled) return boxed ? t('global.exec.on') : t('global.exec.bare')
  return problem === null ? t('global.exec.off') : t('global.exec.unavailable')
}

function OneRun({ run }: { run: HookRun }) {
  const { username, path, state, attempts, output, created, ended } = run
  const name = displayName(nameOf(parseFilePath(path)))
  const facts: [string, string][] = [
    [t('global.exec.user'), username],
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
          <p className={styles.none}>{t('global.exec.output.none')}</p>
        ) : (
          // What scrolls must be reachable by keyboard.
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

import { CircleCheck, CircleSlash, TriangleAlert } from 'lucide-react'
import type { CommandState } from '../../../../shared/contract/command.ts'
import { useCommandState } from '../../../data/command-state.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { Section } from '../section.tsx'
import styles from './command-state.module.css'
import { Runs } from './runs.tsx'

const ICON = { size: 18, strokeWidth: 1.75, 'aria-hidden': true, className: styles.icon }

/** Whether commands can run and why not, and the latest hook runs. */
export function CommandStateCard() {
  const { data, error, isFetching, refetch } = useCommandState()
  return (
    <Section title={t('global.exec')} text={t('global.exec.text')}>
      {data === undefined ? (
        <p className="muted text-small" role={error === null ? undefined : 'alert'}>
          {error === null ? <Spinner size={18} /> : `${t('global.exec.failed')} ${errorText(error)}`}
        </p>
      ) : (
        <CommandStatus state={data} />
      )}
      <Runs
        title={t('global.exec.runs')}
        none={t('global.exec.runs.none')}
        runs={data?.runs}
        busy={isFetching}
        onRefresh={() => void refetch()}
      />
    </Section>
  )
}

function CommandStatus({ state: { enabled, boxed, problem } }: { state: CommandState }) {
  const tone = enabled && boxed ? 'good' : enabled || problem !== null ? 'bad' : 'off'
  return (
    <div className={styles.standing} data-tone={tone} data-part="exec-state">
      {tone === 'good' ? <CircleCheck {...ICON} /> : tone === 'off' ? <CircleSlash {...ICON} /> : <TriangleAlert {...ICON} />}
      <div className="shrinkable">
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

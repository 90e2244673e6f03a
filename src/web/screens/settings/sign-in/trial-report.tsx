import { CircleAlert, CircleCheck } from 'lucide-react'
import type { TryReport } from '../../../../shared/contract/providers.ts'
import { t } from '../../../i18n/i18n.tsx'
import { buttonClassName } from '../../../ui/button.tsx'
import styles from './sign-in-screen.module.css'

export interface TrialReportProps {
  report: TryReport
  name: string
  /** Where the trial goes on; null at its end. */
  url: string | null
}

/** The steps of a trial: what each found, and why it failed. */
export function TrialReport({ report, name, url }: TrialReportProps) {
  const { steps, claims, problem } = report
  return (
    <section className={styles.trial} data-part="trial" aria-label={t('signin.try.title', { name })}>
      <h3 className="text-name strong">{t('signin.try.title', { name: `\u2068${name}\u2069` })}</h3>
      <Steps steps={steps.map((one) => ({ ...one, label: t(`signin.step.${one.step}`) }))} claims={claims} />
      <div role="status">
        {problem !== null && <p className={styles.refusal}>{t(`signin.problem.${problem}`)}</p>}
        {problem === null && url === null && <p className={styles.works}>{t('signin.try.works')}</p>}
      </div>
      {url !== null && (
        <a className={buttonClassName({ variant: 'primary' })} href={url}>
          {t('signin.try.continue')}
        </a>
      )}
    </section>
  )
}

interface StepsProps {
  steps: readonly { step: string; label: string; ok: boolean; detail: string }[]
  claims: readonly { name: string; value: string }[]
}

/** What each step of a trial found, and what was read of the person. */
export function Steps({ steps, claims }: StepsProps) {
  return (
    <>
      <ol>
        {steps.map(({ step, label, ok, detail }) => (
          <li key={step} data-tone={ok ? 'good' : 'bad'} data-step={step}>
            {ok ? <CircleCheck size={18} aria-hidden /> : <CircleAlert size={18} aria-hidden />}
            <div className="shrinkable">
              <p>
                {label}
                <span className="sr-only">: {t(ok ? 'signin.step.ok' : 'signin.step.failed')}</span>
              </p>
              <p className="muted text-small break-anywhere" lang="en" dir="ltr">
                {detail}
              </p>
            </div>
          </li>
        ))}
      </ol>
      {claims.length > 0 && (
        <dl className={styles.claims} dir="ltr" lang="en">
          {claims.map((claim) => (
            <div key={claim.name}>
              <dt>{claim.name}</dt>
              <dd className="break-anywhere">
                <bdi>{claim.value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

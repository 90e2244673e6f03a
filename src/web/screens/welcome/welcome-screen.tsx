import { Suspense } from 'react'
import { WelcomeStep } from '../../../shared/contract/users.ts'
import { leaveWelcome, refreshFirstMinute, useSession } from '../../data/session.ts'
import { t } from '../../i18n/i18n.tsx'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { usePageEvent } from '../../ui/use-page-event.ts'
import { Loading } from '../../widgets/loading.tsx'
import { FactorStep } from './factor-step.tsx'
import { LanguageStep } from './language-step.tsx'
import { LinkStep } from './link-step.tsx'
import { NameStep } from './name-step.tsx'
import { PasswordStep } from './password-step.tsx'
import { PersonStep } from './person-step.tsx'
import styles from './welcome.module.css'
import { useQuery } from '@tanstack/react-query'
import { instanceName } from '../../data/page-config.ts'
import { settingsQuery } from '../../data/settings.ts'
import { StepForm } from './step-form.tsx'

const STEPS = ['password', ...WelcomeStep.options] as const
const VIEWS = {
  password: PasswordStep,
  factor: FactorStep,
  language: LanguageStep,
  name: NameStep,
  person: PersonStep,
  link: LinkStep,
  done: DoneStep,
}

/** The first sign-in of the first administrator: a password of one's own, then one question after another, each of which can be skipped. */
export function WelcomeScreen() {
  const { mustChangePassword = false, mustSetUpFactor = false, welcome = [] } = useSession((state) => state.firstMinute)
  const step = mustChangePassword ? 'password' : mustSetUpFactor ? 'factor' : (welcome[0] ?? 'done')
  const View = VIEWS[step]
  // Other windows and devices may have answered while this one was not looked at.
  const refresh = () => document.visibilityState === 'visible' && void refreshFirstMinute()
  usePageEvent('focus', refresh)
  usePageEvent('pageshow', ({ persisted }) => persisted && refresh())
  return (
    <StandalonePage data-part="welcome" data-step={step}>
      {/* One question alone is no row of steps. */}
      {step !== 'done' && step !== 'factor' && <StepProgress at={STEPS.indexOf(step)} />}
      <Suspense fallback={<Loading height="240px" size={28} tone="faint" />}>
        <View key={step} />
      </Suspense>
    </StandalonePage>
  )
}

function StepProgress({ at }: { at: number }) {
  return (
    <div className={styles.progress}>
      <p>{t('welcome.progress', { step: at + 1, count: STEPS.length })}</p>
      <div className={styles.marks} aria-hidden>
        {STEPS.map((step, index) => (
          <span key={step} data-state={index < at ? 'done' : index === at ? 'current' : undefined} />
        ))}
      </div>
    </div>
  )
}

/** The way to the files. */
function DoneStep() {
  // The name may have been chosen a moment ago; the page knows the one that it was loaded with.
  const { data } = useQuery(settingsQuery())
  const name = data?.branding.name || instanceName
  return (
    <StepForm
      title={t('welcome.done.title', { name })}
      text={t('welcome.done.text')}
      submit={t('welcome.done.submit')}
      busy={false}
      onSubmit={leaveWelcome}
    />
  )
}

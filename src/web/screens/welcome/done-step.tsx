import { useQuery } from '@tanstack/react-query'
import { instanceName } from '../../data/page-config.ts'
import { leaveWelcome } from '../../data/session.ts'
import { settingsQuery } from '../../data/settings.ts'
import { t } from '../../i18n/i18n.tsx'
import { StepForm } from './step-form.tsx'

/** The way to the files. */
export function DoneStep() {
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

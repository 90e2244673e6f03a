import { useState } from 'react'
import { instanceName } from '../../data/page-config.ts'
import { useSaveSettings, useSettings } from '../../data/settings.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { StepForm } from './step-form.tsx'
import { useFinish } from './use-finish.tsx'

/** What the site is called. */
export function NameStep() {
  const settings = useSettings()
  const [name, setName] = useState(settings.branding.name)
  const { finish, busy, skips } = useFinish('name')
  const save = useSaveSettings()
  const submit = () => {
    const mine = { ...settings, branding: { ...settings.branding, name: name.trim() } }
    save.mutate({ base: settings, mine, mayReplace: async () => true }, { onSuccess: (saved) => saved !== null && finish() })
  }
  return (
    <StepForm
      title={t('welcome.name.title')}
      text={t('welcome.name.text')}
      submit={t('welcome.continue')}
      busy={busy || save.isPending}
      error={save.error && errorText(save.error)}
      onSubmit={submit}
      others={skips}
    >
      <TextField label={t('welcome.name.field')} placeholder={instanceName} value={name} onValue={setName} />
    </StepForm>
  )
}

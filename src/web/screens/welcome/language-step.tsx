import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { saveProfile, useUser } from '../../data/session.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { LANGUAGES, pickLanguage } from '../../../shared/languages.ts'
import { Select } from '../../ui/select.tsx'
import { StepForm } from './step-form.tsx'
import { useFinish } from './use-finish.tsx'

const OPTIONS = LANGUAGES.map(({ code, tag, name }) => ({ value: code as string, label: name, lang: tag }))

/** The language of the account; the browser's is proposed. */
export function LanguageStep() {
  const { locale } = useUser()
  const [chosen, setChosen] = useState<string>(() => pickLanguage(locale, navigator.languages).code)
  const { finish, busy, skips } = useFinish('language')
  const save = useMutation({ meta: { shows: 'all' }, mutationFn: saveProfile, onSuccess: finish })
  return (
    <StepForm
      title={t('welcome.language.title')}
      text={t('welcome.language.text')}
      submit={t('welcome.continue')}
      busy={busy || save.isPending}
      error={save.error && errorText(save.error)}
      onSubmit={() => save.mutate({ locale: chosen })}
      others={skips}
    >
      <Select label={t('settings.language')} value={chosen} options={OPTIONS} onValue={setChosen} />
    </StepForm>
  )
}

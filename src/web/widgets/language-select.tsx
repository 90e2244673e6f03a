import { t } from '../i18n/i18n.tsx'
import { LANGUAGES } from '../../shared/languages.ts'
import { Select } from '../ui/select.tsx'

/** Language by its own name; empty means the browser's. An unknown code is kept until another is chosen. */
export function LanguageSelect({ value, onValue }: { value: string; onValue: (locale: string) => void }) {
  const known = value === '' || LANGUAGES.some(({ code }) => code === value)
  const options = [
    { value: '', label: t('user.language.browser') },
    ...(known ? [] : [{ value, label: value }]),
    ...LANGUAGES.map(({ code, name }) => ({ value: code as string, label: name })),
  ]
  return <Select label={t('user.language')} value={value} options={options} onValue={onValue} />
}

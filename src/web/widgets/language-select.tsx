import { t } from '../i18n/i18n.tsx'
import { LANGUAGES } from '../i18n/languages.ts'
import { Select } from '../ui/select.tsx'

/** Language by its own name; empty means the browser's. An unknown code is kept until another is chosen. */
export function LanguageSelect({ locale, onLocale }: { locale: string; onLocale: (locale: string) => void }) {
  const known = locale === '' || LANGUAGES.some(({ code }) => code === locale)
  const options = [
    { value: '', label: t('user.language.browser') },
    ...(known ? [] : [{ value: locale, label: locale }]),
    ...LANGUAGES.map(({ code, name }) => ({ value: code as string, label: name })),
  ]
  return <Select label={t('user.language')} value={locale} options={options} onValue={onLocale} />
}

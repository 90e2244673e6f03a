/** Language codes of the product, their BCP 47 tags, and their own names. */
export const LANGUAGES = [
  { code: 'ar', tag: 'ar', dir: 'rtl', name: 'العربية' },
  { code: 'de', tag: 'de', dir: 'ltr', name: 'Deutsch' },
  { code: 'en', tag: 'en', dir: 'ltr', name: 'English' },
  { code: 'es', tag: 'es', dir: 'ltr', name: 'Español' },
  { code: 'fr', tag: 'fr', dir: 'ltr', name: 'Français' },
  { code: 'is', tag: 'is', dir: 'ltr', name: 'Íslenska' },
  { code: 'it', tag: 'it', dir: 'ltr', name: 'Italiano' },
  { code: 'ja', tag: 'ja', dir: 'ltr', name: '日本語' },
  { code: 'ko', tag: 'ko', dir: 'ltr', name: '한국어' },
  { code: 'nl-be', tag: 'nl-BE', dir: 'ltr', name: 'Nederlands (België)' },
  { code: 'pl', tag: 'pl', dir: 'ltr', name: 'Polski' },
  { code: 'pt', tag: 'pt-PT', dir: 'ltr', name: 'Português' },
  { code: 'pt-br', tag: 'pt-BR', dir: 'ltr', name: 'Português (Brasil)' },
  { code: 'ro', tag: 'ro', dir: 'ltr', name: 'Română' },
  { code: 'ru', tag: 'ru', dir: 'ltr', name: 'Русский' },
  { code: 'sv-se', tag: 'sv-SE', dir: 'ltr', name: 'Svenska' },
  { code: 'zh-cn', tag: 'zh-CN', dir: 'ltr', name: '简体中文' },
  { code: 'zh-tw', tag: 'zh-TW', dir: 'ltr', name: '繁體中文' },
] as const

export type Language = (typeof LANGUAGES)[number]
export type LanguageCode = Language['code']

export const ENGLISH: Language = { code: 'en', tag: 'en', dir: 'ltr', name: 'English' }

/** Fallbacks for languages that we do not have. */
const RELATIVES: Record<string, LanguageCode> = {
  nl: 'nl-be',
  sv: 'sv-se',
  zh: 'zh-cn',
  'zh-hant': 'zh-tw',
  'zh-hk': 'zh-tw',
  'zh-mo': 'zh-tw',
}

/** The language for a user's `locale`; if it is empty or unknown, the first supported one of the browser's, otherwise English. */
export function pickLanguage(locale: string, browser: readonly string[]): Language {
  for (const wanted of locale === '' ? browser : [locale, ...browser]) {
    const found = languageOf(wanted)
    if (found !== null) return found
  }
  return ENGLISH
}

function languageOf(wanted: string): Language | null {
  // Old File Browser records say `ptBR` and `zhTW`.
  const full = wanted
    .replace(/^([a-z]{2})([A-Z]{2})$/, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
  const parts = full.split('-')
  for (let length = parts.length; length > 0; length--) {
    const code = parts.slice(0, length).join('-')
    const found = LANGUAGES.find((language) => language.code === (RELATIVES[code] ?? code))
    if (found) return found
  }
  return null
}

import { currentLanguage } from './i18n.tsx'

/** `a, b, c`, with the marks and words of the language. */
export function formatList(parts: readonly string[]): string {
  return new Intl.ListFormat(currentLanguage().tag, { style: 'narrow' }).format(parts)
}

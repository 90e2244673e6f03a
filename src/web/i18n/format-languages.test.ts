import { afterAll, beforeAll, expect, it, spyOn } from 'bun:test'
import { formatBytes, formatBytesExact, formatDate, formatDateExact } from './format.ts'
import { setLanguage } from './i18n.tsx'
import { ENGLISH, LANGUAGES } from '../../shared/languages.ts'

const NOW = new Date(2026, 10, 22, 12, 0, 0)
const DAY = 24 * 3600_000
const ago = (days: number) => new Date(NOW.getTime() - days * DAY)

/** Texts are the build's to hand over; here only the forms of numbers and dates matter. */
const warned = spyOn(console, 'warn').mockImplementation(() => undefined)

beforeAll(() => {
  Object.defineProperty(globalThis, 'document', { value: { documentElement: {} }, configurable: true })
})
afterAll(async () => {
  await setLanguage(ENGLISH)
  warned.mockRestore()
  Reflect.deleteProperty(globalThis, 'document')
})

it('sizes and dates are written as each language writes them: 4.2 MB, yesterday, a date, and both exactly', async () => {
  const seen: Record<string, string[]> = {}
  // Icelandic, which browsers may not know, has a test of its own beside this one.
  for (const language of LANGUAGES.filter(({ code }) => code !== 'is')) {
    await setLanguage(language)
    seen[language.code] = [formatBytes(4_404_019), formatDate(ago(1), NOW), formatDate(ago(200), NOW)].map(plain)
    expect(plain(formatBytesExact(4_404_019))).toMatch(/^\D*4\D?404\D?019\D+$/)
    expect(plain(formatDateExact(NOW))).toMatch(/2026.*12[:.]00[:.]00/)
  }
  expect(seen).toEqual({
    ar: ['4.2 م.ب', 'أمس', '6 مايو 2026'],
    de: ['4,2 MB', 'gestern', '6. Mai 2026'],
    en: ['4.2 MB', 'yesterday', 'May 6, 2026'],
    es: ['4,2 MB', 'ayer', '6 may 2026'],
    fr: ['4,2 Mo', 'hier', '6 mai 2026'],
    it: ['4,2 MB', 'ieri', '6 mag 2026'],
    ja: ['4.2 MB', '昨日', '2026年5月6日'],
    ko: ['4.2MB', '어제', '2026년 5월 6일'],
    'nl-be': ['4,2 MB', 'gisteren', '6 mei 2026'],
    pl: ['4,2 MB', 'wczoraj', '6 maj 2026'],
    pt: ['4,2 MB', 'ontem', '6/05/2026'],
    'pt-br': ['4,2 MB', 'ontem', '6 de mai. de 2026'],
    ro: ['4,2 MB', 'ieri', '6 mai 2026'],
    ru: ['4,2 МБ', 'вчера', '6 мая 2026 г.'],
    'sv-se': ['4,2 MB', 'i går', '6 maj 2026'],
    'zh-cn': ['4.2 MB', '昨天', '2026年5月6日'],
    'zh-tw': ['4.2 MB', '昨天', '2026年5月6日'],
  })
})

/** Spaces that do not break are spaces. */
function plain(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u200e\u200f]/g, '')
}

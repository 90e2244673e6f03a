import { afterAll, beforeAll, describe, expect, it, spyOn } from 'bun:test'
import { formatBytes, formatDate, formatDateTime, formatDistance } from './format.ts'
import { forms } from './forms.ts'
import { setLanguage } from './i18n.tsx'
import { icelandicRelative } from './icelandic.ts'
import { LANGUAGES } from '../../shared/languages.ts'

const NOW = new Date(2026, 10, 22, 12, 0, 0)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const after = (ms: number) => new Date(NOW.getTime() + ms)

describe('without Icelandic in the browser', () => {
  const supported = spyOn(Intl.DateTimeFormat, 'supportedLocalesOf')
  const choose = async (tag: string) => {
    const language = LANGUAGES.find((one) => one.tag === tag)
    if (language === undefined) throw new Error(`${tag} is none of ours`)
    await setLanguage(language)
  }
  beforeAll(async () => {
    Object.defineProperty(globalThis, 'document', { value: { documentElement: {} }, configurable: true })
    supported.mockReturnValue([])
    // As it comes with the texts, which are the build's to hand over.
    forms.relative = icelandicRelative
    await choose('is')
  })
  afterAll(async () => {
    supported.mockRestore()
    await choose('en')
    Reflect.deleteProperty(globalThis, 'document')
  })

  it('dates, sizes and relative times are Icelandic', () => {
    expect(formatDate(new Date(2026, 6, 14), NOW)).toBe('14.7.2026')
    expect(formatDateTime(NOW)).toBe('22.11.2026, 12:00')
    expect([after(-1000), after(-9 * MINUTE), after(-DAY), after(-2 * DAY)].map((date) => formatDate(date, NOW))).toEqual([
      'núna',
      'fyrir 9 mín.',
      'í gær',
      'fyrir 2 dögum',
    ])
    expect([after(DAY), after(21 * DAY), after(400 * DAY)].map((date) => formatDistance(date, NOW))).toEqual([
      'á morgun',
      'eftir 21 degi',
      'eftir 1 ári',
    ])
    expect(formatBytes(4_404_019)).toBe('4,2 MB')
  })
})

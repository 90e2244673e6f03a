import { describe, expect, it, spyOn } from 'bun:test'
import { ENGLISH, pickLanguage } from '../../shared/languages.ts'
import { setLanguage } from '../i18n/i18n.tsx'
import { cutMiddle, displayName, pathInSentence, splitName } from './display-name.ts'

describe('a name on show', () => {
  it('is itself when it can be read', () => {
    for (const name of ['写真 京都.jpg', 'تقرير.pdf', '👩‍👩‍👧.png', 'a b']) expect(displayName(name)).toBe(name)
  })

  it('writes out what would draw nothing or turn the line around (A4-12)', () => {
    expect(displayName('a\nb')).toBe('a\\x0Ab')
    expect(displayName('invoice\u202egpj.exe')).toBe('invoice\\u202Egpj.exe')
  })

  it('writes out bytes that are not text, and leaves emoji whole', () => {
    expect(displayName('caf\udce9 👧.txt')).toBe('caf\\xE9 👧.txt')
  })

  it('loses its middle first, never its extension', () => {
    const { head, tail } = splitName('quarterly report of everything.xlsx')
    expect(head + tail).toBe('quarterly report of everything.xlsx')
    expect(tail).toBe('hing.xlsx')
  })

  it('has at most so many letters on two lines, and keeps its extension', () => {
    expect(cutMiddle('IMG_20240714_091233_0300.jpg', 36)).toBe('IMG_20240714_091233_0300.jpg')
    const cut = cutMiddle('Jahresabschlussbesprechungsprotokoll_2026 (3).txt', 36)
    expect(cut).toHaveLength(36)
    expect(cut).toEndWith('… (3).txt')
  })

  it('is never cut within what is one letter to people', () => {
    expect(splitName('holidays of the 👨‍👩‍👧‍👦.txt').tail).toBe('he 👨‍👩‍👧‍👦.txt')
  })

  it('is never cut within a word of a script that runs from the right', () => {
    expect(splitName('تقرير 2024 (final).csv')).toEqual({ head: 'تقرير 2024 (final)', tail: '.csv' })
    expect(splitName('مستندات الشركة')).toEqual({ head: 'مستندات الشركة', tail: '' })
  })
})

it('use-31: a path within a sentence from the right is isolated from its direction, and cannot end that itself', async () => {
  expect(pathInSentence('/users/hans')).toBe('/users/hans')
  const warned = spyOn(console, 'warn').mockImplementation(() => undefined)
  Object.defineProperty(globalThis, 'document', { value: { documentElement: {} }, configurable: true })
  await setLanguage(pickLanguage('ar', []))
  const shown = ['/users/hans', '/a\u2069b'].map(pathInSentence)
  await setLanguage(ENGLISH)
  Reflect.deleteProperty(globalThis, 'document')
  warned.mockRestore()
  expect(shown).toEqual(['\u2066/users/hans\u2069', '\u2066/a\\u2069b\u2069'])
})

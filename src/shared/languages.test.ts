import { describe, expect, it } from 'bun:test'
import { LANGUAGES, pickLanguage } from './languages.ts'

describe('the language', () => {
  it('is that of the user record, whatever the browser’s is', () => {
    expect(pickLanguage('is', ['de-DE']).code).toBe('is')
  })

  it('is the browser’s if the record has none', () => {
    expect(pickLanguage('', ['de-AT', 'en']).code).toBe('de')
    expect(pickLanguage('', ['pt-BR']).code).toBe('pt-br')
    expect(pickLanguage('', ['pt-PT']).code).toBe('pt')
    expect(pickLanguage('', ['zh-Hant-HK']).code).toBe('zh-tw')
    expect(pickLanguage('', ['zh']).code).toBe('zh-cn')
    expect(pickLanguage('', ['nl-NL']).code).toBe('nl-be')
  })

  it('is one of the list, whatever the record contains (CVE-2026-61505)', () => {
    const odd = ['../../../etc/passwd', 'en/../../x', '__proto__', 'constructor', '<script>']
    for (const locale of odd) expect(LANGUAGES).toContainEqual(pickLanguage(locale, []))
  })

  it('understands how the predecessor wrote codes', () => {
    expect(pickLanguage('svSE', []).code).toBe('sv-se')
    expect(pickLanguage('zh-TW', []).code).toBe('zh-tw')
  })

  it('is English if none of the browser’s is supported', () => {
    expect(pickLanguage('xx', ['tlh', 'eo']).code).toBe('en')
  })

  it('is one of eighteen, each known to Intl', () => {
    expect(LANGUAGES).toHaveLength(18)
    const tags = LANGUAGES.map((language) => language.tag)
    expect(Intl.PluralRules.supportedLocalesOf(tags)).toEqual([...tags])
  })

  it('is Portugal’s where it is plain Portuguese: none are many there, as in “0 ficheiros”', () => {
    expect(new Intl.PluralRules(pickLanguage('pt', []).tag).select(0)).toBe('other')
    expect(new Intl.PluralRules(pickLanguage('pt-br', []).tag).select(0)).toBe('one')
  })
})

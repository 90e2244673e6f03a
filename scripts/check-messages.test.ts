import { describe, expect, it, spyOn } from 'bun:test'
import { errorCodes, problemsOf } from './check-messages.ts'

const SOURCE = {
  hello: 'Hello {name}',
  files: '{count, plural, one {# file} other {# files in {folder}}}',
}

describe('the check of a catalogue', () => {
  it('finds nothing wrong with the source itself', () => {
    expect(problemsOf('en', SOURCE, SOURCE)).toEqual([])
  })

  it('names keys that are missing and keys that nobody asks for', () => {
    expect(told('de', { files: SOURCE.files, other: 'x' })).toEqual(['hello: missing', 'other: not in en.json'])
  })

  it('wants the same placeholders, also inside a plural', () => {
    const german = { hello: 'Hallo {nme}', files: '{count, plural, one {# Datei} other {# Dateien}}' }
    expect(told('de', german)).toEqual([
      'hello: placeholder {name} is missing',
      'hello: placeholder {nme} is not in en.json',
      'files: placeholder {folder} is missing',
    ])
  })

  it('wants the dollar signs that the editor puts its numbers in', () => {
    expect(problemsOf('de', { done: 'ersetzt' }, { done: 'replaced $' })).toMatchObject([{ problem: 'not as many $ as in en.json' }])
  })

  it("wants each of the language's own plurals and no other", () => {
    const polish = { hello: 'Cześć {name}', files: '{count, plural, one {# plik} two {# pliki} other {# pliku w {folder}}}' }
    expect(told('pl', polish)).toEqual([
      'files: {count}: no plural "few"',
      'files: {count}: no plural "many"',
      'files: {count}: this language has no plural "two"',
    ])
  })

  it('refuses an empty text and one that is no message', () => {
    using log = spyOn(console, 'error').mockImplementation(() => undefined)
    expect(told('en', { hello: ' ', files: '{count, plural, one {' })).toEqual(['hello: empty', 'files: not an ICU message'])
    expect(log).toHaveBeenCalledTimes(1)
  })

  it('reads the codes of all errors from their list', () => {
    expect(errorCodes("export interface ErrorDetails {\n  'not-found': { path?: string }\n  busy: { path?: string }\n}\n")).toEqual([
      'not-found',
      'busy',
    ])
  })
})

function told(language: string, catalogue: Record<string, string>): string[] {
  return problemsOf(language, catalogue, SOURCE).map(({ key, problem }) => `${key}: ${problem}`)
}

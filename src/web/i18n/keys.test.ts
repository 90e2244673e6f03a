import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { keyNames } from './keys.ts'
import { LANGUAGES } from '../../shared/languages.ts'

describe('U14: names of keys', () => {
  const all = ['Mod', 'Shift', 'Alt', 'Ctrl', 'Enter', 'Delete', 'Backspace', 'Home', 'End', 'PageUp', 'PageDown', 'Space', 'Esc', 'Click']

  it('are those of the language on show, and none is shown as it is called in the code', () => {
    expect(keyNames(all, { mac: false })).toEqual([
      'Ctrl',
      'Shift',
      'Alt',
      'Ctrl',
      'Enter',
      'Delete',
      'Backspace',
      'Home',
      'End',
      'Page Up',
      'Page Down',
      'Space',
      'Esc',
      'Click',
    ])
    expect(keyNames(['Mod', 'A'], { mac: false })).toEqual(['Ctrl', 'A'])
  })

  it('are signs on a Mac, as they are on its keys', () => {
    expect(keyNames(['Mod', 'Shift', 'Alt', 'Enter', 'Delete', 'Home', 'K'], { mac: true })).toEqual(['⌘', '⇧', '⌥', '↩', '⌫', '↖', 'K'])
  })

  it('Home-made: no language keeps the English words for a click; its space bar is called as on keyboards there', () => {
    const texts = (code: string): Record<string, string> => JSON.parse(readFileSync(join(import.meta.dir, `${code}.json`), 'utf8'))
    const english = texts('en')
    const keeps = (key: string) =>
      LANGUAGES.filter(({ code }) => code !== 'en' && texts(code)[key] === english[key]).map(({ code }) => code)
    expect([keeps('key.click'), keeps('key.double-click'), keeps('key.tap')]).toEqual([[], [], []])
    expect(keeps('key.space')).toEqual(['ja'])
  })
})

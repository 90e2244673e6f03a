import { describe, expect, it } from 'bun:test'
import { keyNames } from './keys.ts'

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
})

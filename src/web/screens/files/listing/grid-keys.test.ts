import { describe, expect, it } from 'bun:test'
import { gridIntent } from './grid-keys.ts'
import { createTypeAhead } from './type-ahead.ts'

const LIST = { mosaic: false, rtl: false }

describe('a key in the grid', () => {
  it('moves, extends with Shift, and with Ctrl takes the focus alone', () => {
    expect(gridIntent(press('ArrowDown'), LIST)).toEqual({ kind: 'move', step: 'down', extend: false, focusOnly: false })
    expect(gridIntent(press('End', { shiftKey: true }), LIST)).toEqual({ kind: 'move', step: 'last', extend: true, focusOnly: false })
    expect(gridIntent(press('ArrowUp', { ctrlKey: true }), LIST)).toEqual({ kind: 'move', step: 'up', extend: false, focusOnly: true })
  })

  it('follows the reading direction in a mosaic, and leaves Left and Right alone in a list', () => {
    expect(gridIntent(press('ArrowRight'), { mosaic: true, rtl: false })).toMatchObject({ step: 'forth' })
    expect(gridIntent(press('ArrowRight'), { mosaic: true, rtl: true })).toMatchObject({ step: 'back' })
    expect(gridIntent(press('ArrowLeft'), { mosaic: true, rtl: true })).toMatchObject({ step: 'forth' })
    expect(gridIntent(press('ArrowLeft'), LIST)).toBeNull()
  })

  it('leaves what belongs to the browser', () => {
    expect(gridIntent(press('ArrowLeft', { altKey: true }), LIST)).toBeNull()
    expect(gridIntent(press('p', { ctrlKey: true }), LIST)).toBeNull()
    expect(gridIntent(press('F5'), LIST)).toBeNull()
  })

  it('opens the menu with either key', () => {
    expect(gridIntent(press('ContextMenu'), LIST)).toEqual({ kind: 'menu' })
    expect(gridIntent(press('F10', { shiftKey: true }), LIST)).toEqual({ kind: 'menu' })
  })
})

describe('typing a name', () => {
  it('finds what begins so, and a longer word narrows it', () => {
    const { type } = names(['alpha', 'beta', 'Bravo', 'brim'])
    expect(type('b', 0)).toBe(1)
    expect(type('r', 1)).toBe(2)
    expect(type('i', 2)).toBe(3)
  })

  it('walks on when one letter is repeated, and around the end', () => {
    const { type } = names(['beta', 'alpha', 'bravo'])
    expect(type('b', -1)).toBe(0)
    expect(type('b', 0)).toBe(2)
    expect(type('b', 2)).toBe(0)
  })

  it('begins a new word after a pause', () => {
    const { type, wait } = names(['a1', 'b1', 'ab'])
    expect(type('a', -1)).toBe(0)
    wait(700)
    expect(type('b', 0)).toBe(1)
  })

  it('finds nothing where there is nothing', () => {
    expect(names(['alpha']).type('z', 0)).toBeNull()
    expect(names([]).type('a', -1)).toBeNull()
  })
})

function names(list: string[]) {
  let now = 0
  const typeAhead = createTypeAhead(() => now)
  const column = { count: list.length, at: (position: number) => list[position] ?? '' }
  return { type: (letter: string, from: number) => typeAhead.type(letter, from, column), wait: (ms: number) => (now += ms) }
}

function press(key: string, held: Partial<KeyboardEvent> = {}) {
  return { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held }
}

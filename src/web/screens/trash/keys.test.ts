import { describe, expect, it } from 'bun:test'
import { trashIntent, type TrashView } from './keys.ts'

const VIEW: TrashView = { count: 10, focus: 4, page: 3 }

describe('a key in the trash', () => {
  it('moves within the list, also to what is not in sight', () => {
    const to = (key: string, view = VIEW) => {
      const intent = trashIntent(press(key), view)
      return intent?.kind === 'move' ? intent.to : null
    }
    expect(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'].map((key) => to(key))).toEqual([3, 5, 1, 7, 0, 9])
    expect([to('ArrowUp', { ...VIEW, focus: 0 }), to('ArrowDown', { ...VIEW, focus: 9 })]).toEqual([0, 9])
    expect(['ArrowDown', 'End'].map((key) => to(key, { ...VIEW, focus: null }))).toEqual([0, 9])
  })

  it('extends the selection with Shift and leaves it with Ctrl', () => {
    expect(trashIntent(press('ArrowDown', { shiftKey: true }), VIEW)).toMatchObject({ extend: true, focusOnly: false })
    expect(trashIntent(press('ArrowDown', { ctrlKey: true }), VIEW)).toMatchObject({ extend: false, focusOnly: true })
  })

  it('does what it does in the files', () => {
    const kind = (key: string, held = {}) => trashIntent(press(key, held), VIEW)?.kind
    expect([kind('Enter'), kind(' '), kind('Escape'), kind('Delete')]).toEqual(['open', 'toggle', 'clear', 'remove'])
    expect([kind('a', { metaKey: true }), kind('F10', { shiftKey: true }), kind('Delete', { shiftKey: true })]).toEqual([
      'all',
      'menu',
      'remove',
    ])
    expect([kind('a'), kind('x'), kind('ArrowDown', { altKey: true })]).toEqual([undefined, undefined, undefined])
  })

  it('does nothing in an empty list', () => {
    expect(trashIntent(press('Delete'), { ...VIEW, count: 0, focus: null })).toBeNull()
  })
})

function press(key: string, held: { ctrlKey?: boolean; metaKey?: boolean; altKey?: boolean; shiftKey?: boolean } = {}) {
  return { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held }
}

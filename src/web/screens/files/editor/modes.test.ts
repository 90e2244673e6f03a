import { expect, it } from 'bun:test'
import { firstMode } from './modes.ts'

it('a text opens in the editor, or as its reader last wanted it', () => {
  const wide = { asked: null, wide: true }
  expect([null, 'preview', 'split', 'nonsense'].map((remembered) => firstMode({ ...wide, remembered }))).toEqual([
    'edit',
    'preview',
    'split',
    'edit',
  ])
  expect(firstMode({ asked: null, remembered: 'split', wide: false })).toBe('edit')
  expect(firstMode({ asked: 'true', remembered: 'preview', wide: true })).toBe('edit')
  expect(firstMode({ asked: 'false', remembered: null, wide: true })).toBe('preview')
})

import { describe, expect, it } from 'bun:test'
import { clampColumn, readChoices } from './view.ts'

const NOTHING_CHOSEN = { gallery: false, folderSizes: false, details: false, density: 'normal', columns: {} } as const

describe('the view stored in the browser', () => {
  it('is what was chosen', () => {
    const stored = JSON.stringify({ gallery: true, folderSizes: true, details: true, density: 'compact', columns: { size: 140 } })
    expect(readChoices(stored)).toEqual({ gallery: true, folderSizes: true, details: true, density: 'compact', columns: { size: 140 } })
  })

  it('falls back to the default if it is invalid', () => {
    for (const stored of [
      null,
      '',
      '{',
      '[]',
      '7',
      '{"gallery":1,"density":"tiny","columns":{"size":"140","modified":null}}',
      '{"columns":3}',
    ])
      expect(readChoices(stored)).toEqual(NOTHING_CHOSEN)
  })

  it('limits the width of columns', () => {
    expect(readChoices('{"columns":{"size":1e9,"modified":-4}}').columns).toEqual({ size: 280, modified: 84 })
    expect(clampColumn('size', 99.6)).toBe(100)
  })
})

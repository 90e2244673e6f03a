import { describe, expect, it } from 'bun:test'
import { runsIn } from './section-area.ts'
import type { Section } from './sections.ts'

const LIST: Section[] = [{ top: 0, rowHeight: 40, columns: 1, from: 0, count: 100_000 }]
/** Two chips and five tiles in rows of three, 100 wide and 20 apart. */
const TILES: Section[] = [
  { top: 30, rowHeight: 70, columns: 3, from: 0, count: 2 },
  { top: 130, rowHeight: 170, columns: 3, from: 2, count: 5 },
]
const TILED = { width: 340, gap: 20 }

describe('a rubber band', () => {
  it('takes rows of a list it touches, and those that are not in the document', () => {
    const room = { width: 900, gap: 0 }
    expect(runsIn(LIST, { top: 39, bottom: 81, start: 10, end: 20 }, room)).toEqual([{ from: 0, to: 3 }])
    expect(runsIn(LIST, { top: 40, bottom: 41, start: 10, end: 20 }, room)).toEqual([{ from: 1, to: 2 }])
    expect(runsIn(LIST, { top: 0, bottom: 9e9, start: 0, end: 1 }, room)).toEqual([{ from: 0, to: 100_000 }])
  })

  it('takes nothing beside the rows or below them', () => {
    const room = { width: 900, gap: 0 }
    expect(runsIn(LIST, { top: 0, bottom: 400, start: -8, end: -1 }, room)).toEqual([])
    expect(runsIn(LIST, { top: 0, bottom: 400, start: 901, end: 907 }, room)).toEqual([])
    expect(runsIn(LIST, { top: 4_000_001, bottom: 4_000_400, start: 0, end: 900 }, room)).toEqual([])
  })

  it('takes the tiles it touches, row by row', () => {
    expect(runsIn(TILES, { top: 140, bottom: 320, start: 110, end: 230 }, TILED)).toEqual([
      { from: 3, to: 4 },
      { from: 6, to: 7 },
    ])
    expect(runsIn(TILES, { top: 0, bottom: 140, start: 0, end: 340 }, TILED)).toEqual([
      { from: 0, to: 2 },
      { from: 2, to: 5 },
    ])
  })

  it('takes nothing in the gaps between tiles, and no tile that is not there', () => {
    expect(runsIn(TILES, { top: 140, bottom: 200, start: 101, end: 119 }, TILED)).toEqual([])
    expect(runsIn(TILES, { top: 281, bottom: 299, start: 0, end: 340 }, TILED)).toEqual([])
    expect(runsIn(TILES, { top: 310, bottom: 400, start: 250, end: 340 }, TILED)).toEqual([])
  })
})

import { describe, expect, it } from 'bun:test'
import { type Section, contentHeight, rowAt, rowCount, rowsBetween, stepFrom } from './sections.ts'
import { listSections, mosaicSections, type LayoutMetrics } from './layouts.ts'

const ROOM: LayoutMetrics = { width: 992, row: 40, tile: 176, glyph: 28, phone: false, zoom: 1 }
const LIST = listSections({ folders: 2, files: 99_998 }, ROOM)
/** Three folders in a row of four, then seven files in rows of three. */
const MOSAIC: Section[] = [
  { top: 30, rowHeight: 60, columns: 4, from: 0, count: 3 },
  { top: 130, rowHeight: 200, columns: 3, from: 3, count: 7 },
]

describe('the rows on show', () => {
  it('are the touched ones and a few around them, wherever in a hundred thousand', () => {
    const rows = rowsBetween(LIST, { top: 40 * 50_000, bottom: 40 * 50_000 + 760, overscan: 6 })
    expect([rows[0]?.row, rows.length]).toEqual([49_994, 19 + 12])
  })

  it('end where the entries end', () => {
    const rows = rowsBetween(LIST, { top: contentHeight(LIST) - 400, bottom: contentHeight(LIST) + 360, overscan: 6 })
    expect(rows.at(-1)?.row).toBe(99_999)
  })

  it('hold at most as many entries as a first paint may', () => {
    const rows = rowsBetween(MOSAIC, { top: 0, bottom: 10_000, overscan: 2, atMost: 8 })
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(6)
  })

  it('of a mosaic know how many entries they hold and where they begin', () => {
    expect(rowsBetween(MOSAIC, { top: 0, bottom: 9999, overscan: 0 }).map(({ row, top, from, count }) => [row, top, from, count])).toEqual([
      [0, 30, 0, 3],
      [1, 130, 3, 3],
      [2, 330, 6, 3],
      [3, 530, 9, 1],
    ])
  })

  it('of an empty folder are none', () => {
    expect(rowsBetween(mosaicSections({ folders: 0, files: 0 }, ROOM), { top: 0, bottom: 900, overscan: 6 })).toEqual([])
    expect(contentHeight([])).toBe(0)
  })
})

describe('a key', () => {
  it('walks the list and stops at its ends', () => {
    expect(stepFrom(LIST, 5, 'down', 700)).toBe(6)
    expect(stepFrom(LIST, 0, 'up', 700)).toBe(0)
    expect(stepFrom(LIST, 99_999, 'down', 700)).toBe(99_999)
    expect(stepFrom(LIST, 5, 'last', 700)).toBe(99_999)
    expect(stepFrom(LIST, 5, 'first', 700)).toBe(0)
  })

  it('turns a page of what is on show', () => {
    expect(stepFrom(LIST, 100, 'page-down', 700)).toBe(116)
    expect(stepFrom(LIST, 5, 'page-up', 700)).toBe(0)
  })

  it('goes from the folders of a mosaic to the file below, and to the last where the row is short', () => {
    expect(stepFrom(MOSAIC, 1, 'down', 700)).toBe(4)
    expect(stepFrom(MOSAIC, 4, 'up', 700)).toBe(1)
    expect(stepFrom(MOSAIC, 8, 'down', 700)).toBe(9)
    expect(stepFrom(MOSAIC, 2, 'forth', 700)).toBe(3)
    expect(stepFrom(MOSAIC, 3, 'back', 700)).toBe(2)
  })
})

describe('the layout', () => {
  it('has a place for every entry', () => {
    const bands = mosaicSections({ folders: 5, files: 1000 }, ROOM)
    for (const position of [0, 4, 5, 500, 1004]) expect(rowAt(bands, position)?.from).toBeLessThanOrEqual(position)
    expect(rowAt(bands, 1005)).toBeNull()
  })

  it('shows three tiles and two chips in a row of a phone', () => {
    const bands = mosaicSections({ folders: 4, files: 9 }, { ...ROOM, width: 374, phone: true })
    expect(bands.map(({ columns }) => columns)).toEqual([2, 3])
    expect(rowCount(bands)).toBe(5)
  })
})

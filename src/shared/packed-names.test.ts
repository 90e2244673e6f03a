import { describe, expect, it } from 'bun:test'
import { packNames, pickNames, shareNames, unpackNames } from './packed-names.ts'

const NAMES = ['report.txt', 'отчёт', '文件', '\udcff', 'a', '😀']

describe('packed names', () => {
  const packed = packNames(NAMES)

  it('are returned unchanged, individually and all', () => {
    expect([...packed]).toEqual(NAMES)
    expect([...packed.keys()].map((index) => packed.at(index))).toEqual(NAMES)
    expect([packed.length, packed.at(-1), packed.at(6), packed.at(-7)]).toEqual([6, '😀', undefined, undefined])
    expect([...packNames([])]).toEqual([])
  })

  it('stay packed when filtered', () => {
    const some = pickNames(packed, [4, 1])
    expect([...some]).toEqual(['a', 'отчёт'])
    expect('bytes' in some).toBe(true)
    expect([...pickNames(NAMES, [4, 1])]).toEqual(['a', 'отчёт'])
  })

  it('are transferred to another thread without copying', () => {
    const { bytes, starts } = structuredClone(shareNames(packed))
    expect([bytes.buffer, starts.buffer].every((buffer) => buffer instanceof SharedArrayBuffer)).toBe(true)
    expect([...unpackNames({ bytes, starts })]).toEqual(NAMES)
  })
})

import { describe, expect, it } from 'bun:test'
import { createBodyLimit, tabStorage } from './body-limit.ts'

const MIB = 1024 * 1024

describe('the size of a request', () => {
  it('is halved until size cannot be the reason', () => {
    const limit = createBodyLimit(tabStorage(memory(), 'limit'))
    const sizes = [10 * MIB, 8 * MIB, 3_000_000, 2 * MIB, MIB, 100_000]
    const learned = sizes.map((size) => limit.refuse(size) && limit.store.getState().bytes)
    expect(learned).toEqual([8 * MIB, 4 * MIB, 2 * MIB, MIB, MIB / 2, 64 * 1024])
    expect(limit.refuse(64 * 1024)).toBe(false)
  })

  it('is what has passed, where that is known', () => {
    const limit = createBodyLimit(tabStorage(memory(), 'limit'))
    expect(limit.refuse(40 * MIB, { passed: 10 * MIB })).toBe(true)
    expect(limit.store.getState().bytes).toBe(10 * MIB)
    expect(limit.refuse(10 * MIB, { passed: 10 * MIB })).toBe(true)
    expect(limit.store.getState().bytes).toBe(8 * MIB)
  })

  it('is not reduced twice by simultaneous refusals', () => {
    const limit = createBodyLimit(tabStorage(memory(), 'limit'))
    for (const size of [10 * MIB, 10 * MIB, 9 * MIB]) expect(limit.refuse(size)).toBe(true)
    expect(limit.store.getState().bytes).toBe(8 * MIB)
  })

  it('is stored for the tab, ignoring invalid values', () => {
    const storage = memory()
    createBodyLimit(tabStorage(storage, 'limit')).refuse(2 * MIB)
    expect(createBodyLimit(tabStorage(storage, 'limit')).store.getState().bytes).toBe(MIB)
    for (const nonsense of ['', '0', '-1', 'many', '12']) {
      storage.setItem('limit', nonsense)
      expect(createBodyLimit(tabStorage(storage, 'limit')).store.getState().bytes).toBeNull()
    }
  })
})

function memory(): Pick<Storage, 'getItem' | 'setItem'> {
  const kept = new Map<string, string>()
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) }
}

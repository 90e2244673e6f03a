import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { bytesToName } from './file-path.ts'
import { keysOfNames } from './name-keys.ts'
import { firstOfKeys, orderOfNames } from './name-order.ts'
import { compareNames } from './natural-order.ts'
import { packNames } from './packed-names.ts'

/** Letters of all sorts: some are joined with others when they are folded, some stand for a byte that is no letter. */
const unit = fc.oneof(
  fc.constantFrom(...'aBé0019._ß\udcff文z<\u0301\u0338йе\u0308か\u3099İıΣςﬃ가\u11a8𝔸'),
  fc.integer({ min: 1, max: 0xffff }).map((code) => String.fromCharCode(code)),
)
const name = fc.string({ unit, maxLength: 8 })
const byComparing = (names: readonly string[]) => [...names.keys()].sort((a, b) => compareNames(names[a] ?? '', names[b] ?? '') || a - b)

describe('the order of many names', () => {
  it('equals sorting by comparison, also for equal names', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 60 }), (names) => {
        expect([...orderOfNames(names)]).toEqual(byComparing(names))
      }),
    )
  })

  it('equals it for common prefixes and all characters', () => {
    const letters = Array.from({ length: 0xffff }, (_, code) => `x${String.fromCharCode(code + 1)}9`)
    const alike = Array.from({ length: 3000 }, (_, at) => `${'ж'.repeat(at % 7)}IMG_${(at * 7919) % 3000}.jpg`.slice(at % 3))
    for (const names of [letters, alike]) expect([...orderOfNames(names)]).toEqual(byComparing(names))
  })

  it('is the same for names as bytes', () => {
    const bytes = fc.uint8Array({ min: 1, minLength: 1, maxLength: 8 }).map((some) => some.filter((byte) => byte !== 0x2f))
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            name.filter((some) => some.isWellFormed()),
            bytes.map((some) => bytesToName(some)),
          ),
          { maxLength: 60 },
        ),
        (names) => {
          expect([...orderOfNames(packNames(names))]).toEqual([...orderOfNames(names)])
        },
      ),
    )
  })

  it('can put some before all others', () => {
    expect([...orderOfNames(['b', 'a10', 'a9', 'd', 'c'], [0, 0, 0, 1, 1])]).toEqual([4, 3, 2, 1, 0])
  })

  it('can compute the first rows without sorting the rest', () => {
    const entries = fc.uniqueArray(fc.record({ name, folder: fc.integer({ min: 0, max: 1 }) }), {
      selector: (one) => one.name,
      maxLength: 60,
    })
    fc.assert(
      fc.property(entries, fc.integer({ min: 1, max: 9 }), fc.boolean(), (list, count, descending) => {
        const names = list.map((one) => one.name)
        const folders = Uint8Array.from(list, (one) => one.folder)
        const order = [...orderOfNames(names)]
        if (descending) order.reverse()
        const rows = [1, 0].flatMap((folder) => order.filter((at) => folders[at] === folder))
        expect([...firstOfKeys(keysOfNames(names), { folders, count, descending })]).toEqual(rows.slice(0, count))
      }),
    )
  })
})

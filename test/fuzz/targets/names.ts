import { saferNames } from '../../../src/server/archives/names.ts'
import { contentDisposition } from '../../../src/server/http/file-headers.ts'
import { createNaming, segmentsFrom } from '../../../src/server/unpack/names.ts'
import { parseFilePath } from '../../../src/shared/file-path.ts'
import { compareNames, naturalKey } from '../../../src/shared/natural-order.ts'
import { slugProblem } from '../../../src/shared/share-slug.ts'
import { must, orRefused, type Target, textOf } from '../target.ts'

const MOST_NAMES = 60

/** Names of entries, of downloads and of links: none leads out, none takes another's place, and their order is one. */
export const target: Target = {
  seeds: [
    'a/b\na/B\na',
    '../x\nC:\\x\n/etc',
    'a(1).txt\na.txt\na.txt',
    'con\nNUL.txt\naux.',
    'x2\nx10\nx02',
    'é\ne\u0301\nÉ',
    'my-link\nshare',
    ' .\n..\n.',
  ],
  words: ['../', '\\', 'com1', 'lpt²', '\u202e', 'ß', 'ς', 'İ', '(1)', '0'],
  // Each name is laid beside every other.
  stepsPerByte: 2000,
  async holds(bytes) {
    const names = textOf(bytes).split('\n').slice(0, MOST_NAMES)
    unpacked(names)
    await packed(names.map((name) => name.replaceAll('/', '')).filter((name) => name !== ''))
    ordered(names.slice(0, 5))
    for (const name of names) {
      if (slugProblem(name) === null) must(encodeURIComponent(name) === name, 'a name of a link has to be encoded')
      const header = orRefused(() => contentDisposition(name, { inline: false }))
      must(header === null || /^[ -~]*$/.test(header), 'a header holds more than its letters')
      must(header === null || header.split("''", 2)[1]?.includes(';') === false, 'a name ends in the middle of a header')
    }
  },
}

function unpacked(names: readonly string[]): void {
  const naming = createNaming()
  const files = new Set<string>()
  for (const name of names) {
    const segments = segmentsFrom(name)
    if (typeof segments === 'string' || segments.length === 0) continue
    must(parseFilePath(`/${segments.join('/')}`) === `/${segments.join('/')}`, 'an entry is no place')
    must(!segments.some((segment) => /^\.\.?$|\0/.test(segment)), 'an entry leads out')
    const place = naming.place(segments, name.endsWith('/') ? 'folder' : 'file')
    if (typeof place !== 'string' || name.endsWith('/')) continue
    const key = place.normalize('NFC').toLowerCase()
    must(!files.has(key), 'two entries have one place')
    files.add(key)
    must(place.split('/').length === segments.length, 'an entry is moved into another folder')
  }
}

async function packed(names: readonly string[]): Promise<void> {
  const unique = [...new Set(names)]
  const safer = await saferNames(unique, async () => undefined)
  const safe = unique.map((name, index) => safer.get(index) ?? name)
  must(new Set(safe).size === unique.length, 'two names of an archive are one')
  must(
    safe.every((name) => !/^\.{1,2}$|[\\/:\u0000-\u001f]|[. ]$/.test(name) && name.isWellFormed()),
    'a name leads out of an archive',
  )
}

/** A sort that contradicts itself loses names. */
function ordered(names: readonly string[]): void {
  for (const a of names) {
    must(naturalKey(a) === naturalKey(a.normalize('NFC')), 'a spelling changes an order')
    for (const b of names) {
      const sign = Math.sign(compareNames(a, b))
      must(sign === -Math.sign(compareNames(b, a)) + 0, 'an order depends on who asks')
      must((sign === 0) === (a === b), 'two names are equal')
      for (const c of names) if (sign <= 0 && compareNames(b, c) <= 0) must(compareNames(a, c) <= 0, 'an order goes round')
    }
  }
}

import { describe, expect, it } from 'bun:test'
import { ROW_FOLDER, ROW_LINK, ROW_TYPES } from '../../shared/contract/resources.ts'
import { parseFilePath } from '../../shared/file-path.ts'
import { orderOfNames } from '../../shared/name-order.ts'
import { entryAt, entryOf, isSameResource, isComplete, listingFrom, withRenamedEntry, sizeOfFiles, withoutEntries } from './listing.ts'
import { isAscending, isSortedSoon, nextSorting, type OrderElsewhere, rankAhead, sortListing } from './listing-order.ts'

describe('a listing', () => {
  it('creates entry objects on demand', () => {
    expect(entryAt(folder(), 0)).toEqual({
      index: 0,
      path: parseFilePath('/home/docs'),
      name: 'docs',
      size: 4096,
      modified: 30,
      type: '',
      isDir: true,
      isLink: true,
    })
    expect(entryOf(folder(), 2)).toMatchObject({ name: 'a10.jpg', type: 'image', isDir: false })
  })

  it('puts folders first even if the server does not', () => {
    const rows = { ...sent(), names: ['z', 'dir'], sizes: [1, 0], modifieds: [0, 0], types: [text, ROW_FOLDER] }
    expect(names(listingFrom(rows, HOME))).toEqual(['dir', 'z'])
  })

  it('adds up files, not folders', () => {
    expect(sizeOfFiles(folder())).toBe(60)
    expect(sizeOfFiles(folder(), [0, 2])).toBe(10)
  })

  it('removes deleted entries and keeps the order of the rest', () => {
    const left = withoutEntries(sortListing(folder(), { by: 'size', asc: false }), new Set(['a2.txt', 'none']))
    expect(names(left)).toEqual(['docs', 'b.txt', 'a10.jpg'])
    expect([left.numDirs, left.numFiles]).toEqual([1, 2])
  })

  it('keeps a renamed entry in its position', () => {
    expect(names(withRenamedEntry(folder(), 'a2.txt', 'zz.txt'))).toEqual(['docs', 'zz.txt', 'a10.jpg', 'b.txt'])
  })

  it('detects an unchanged response', () => {
    expect(isSameResource(folder(), folder())).toBe(true)
    expect(isSameResource(folder(), withRenamedEntry(folder(), 'b.txt', 'c.txt'))).toBe(false)
  })
})

describe('the first rows of a long folder', () => {
  const beginning = listingFrom({ ...sent(), numDirs: 1, numFiles: 99_999 }, HOME)

  it('has the counts of the whole folder, but is incomplete', () => {
    expect(beginning).toMatchObject({ numDirs: 1, numFiles: 99_999, pending: { folders: 0, files: 99_996 } })
    expect([isComplete(beginning), isComplete(folder())]).toEqual([false, true])
  })

  it('stays incomplete in another order, and with folders only', () => {
    expect(sortListing(beginning, { by: 'size', asc: true })).toMatchObject({ numFiles: 99_999, pending: { files: 99_996 } })
    const folders = listingFrom({ ...sent(), ...column(['docs']), numDirs: 3000, numFiles: 4 }, HOME)
    expect(sortListing(folders, { by: 'name', asc: true })).toMatchObject({ numDirs: 3000, pending: { folders: 2999, files: 4 } })
  })
})

describe('sorting', () => {
  it('reverses names, with folders first', () => {
    expect(names(sortListing(folder(), { by: 'name', asc: true }))).toEqual(['docs', 'b.txt', 'a10.jpg', 'a2.txt'])
  })

  it('sorts by size and time, then by name', () => {
    expect(names(sortListing(folder(), { by: 'size', asc: true }))).toEqual(['docs', 'a10.jpg', 'a2.txt', 'b.txt'])
    expect(names(sortListing(folder(), { by: 'modified', asc: false }))).toEqual(['docs', 'a2.txt', 'b.txt', 'a10.jpg'])
  })

  it('sorts thousands like a few: by number, then name, folders first', () => {
    const count = 3000
    const list = shuffled(count)
    const types = list.map((_, at) => (at % 7 === 0 ? ROW_FOLDER : text))
    const numDirs = types.filter((type) => type === ROW_FOLDER).length
    const columns = { names: list, types, sizes: list.map((_, at) => (at * 31) % 90), modifieds: list.map((_, at) => (at * 7) % 40) }
    const served = listingFrom({ ...sent(), ...columns, sorting: { by: 'modified', asc: true }, numDirs, numFiles: count - numDirs }, HOME)
    for (const by of ['name', 'size', 'modified'] as const) {
      for (const asc of [true, false]) {
        const value = (index: number) => (by === 'size' ? (columns.sizes[index] ?? 0) : (columns.modifieds[index] ?? 0)) * (asc ? 1 : -1)
        const byName = (a: number, b: number) => natural(list[a] ?? '', list[b] ?? '')
        const expected = (areFolders: boolean) => {
          const part = [...list.keys()].filter((index) => (types[index] === ROW_FOLDER) === areFolders).sort(byName)
          if (by === 'name') return asc ? part.reverse() : part
          return areFolders && by === 'size' ? part : part.sort((a, b) => value(a) - value(b))
        }
        expect([...sortListing(served, { by, asc }).order]).toEqual(
          by === 'modified' && asc ? [...served.order] : [...expected(true), ...expected(false)],
        )
      }
    }
  })

  it('sorts folders by known size; others come last, by name', () => {
    const rows = { ...sent(), numDirs: 3, numFiles: 1, names: ['a', 'b', 'c', 'd'], sizes: [4096, 4096, 4096, 1], modifieds: [0, 0, 0, 0] }
    const listing = { ...listingFrom({ ...rows, types: [ROW_FOLDER, ROW_FOLDER, ROW_FOLDER, text] }, HOME), sums: [10, undefined, 300] }
    expect(names(sortListing(listing, { by: 'size', asc: true }))).toEqual(['a', 'c', 'b', 'd'])
    expect(names(sortListing(listing, { by: 'size', asc: false }))).toEqual(['c', 'a', 'b', 'd'])
    expect(names(sortListing(listing, { by: 'name', asc: false }))).toEqual(['a', 'b', 'c', 'd'])
    expect([0, 1].map((index) => entryOf(listing, index).sum)).toEqual([10, undefined])
  })

  it('computes the natural order if the server sent another', () => {
    const bySize = listingFrom({ ...sent(), sorting: { by: 'size', asc: true }, ...column(['docs', 'b.txt', 'a10.jpg', 'a2.txt']) }, HOME)
    expect(names(sortListing(bySize, { by: 'name', asc: false }))).toEqual(['docs', 'a2.txt', 'a10.jpg', 'b.txt'])
  })

  it('sorts a long folder in a worker once, and here if that fails', async () => {
    for (const fails of [false, true]) {
      const long = listingFrom({ ...sent(), sorting: { by: 'size', asc: true }, ...column(shuffled(6000)) }, HOME)
      const byName = { by: 'name', asc: false } as const
      let asked = 0
      const elsewhere: OrderElsewhere = async (list, folders) => {
        asked += 1
        if (fails) throw new Error('no threads here')
        return orderOfNames(list, folders)
      }
      expect(isSortedSoon(long, byName)).toBe(false)
      await Promise.all([rankAhead(long, elsewhere), rankAhead(long, elsewhere)])
      expect([asked, isSortedSoon(long, byName)]).toEqual([1, true])
      expect(names(sortListing(long, byName)).slice(0, 12)).toEqual(shuffled(6000).toSorted(natural).slice(0, 12))
    }
  })

  it('uses no worker for a short or sorted folder', async () => {
    const never: OrderElsewhere = () => Promise.reject(new Error('nobody should ask'))
    expect(isSortedSoon(folder(), { by: 'size', asc: true })).toBe(true)
    const named = listingFrom({ ...sent(), ...column(shuffled(6000).toSorted(natural)) }, HOME)
    expect(isSortedSoon(named, { by: 'modified', asc: true })).toBe(true)
    await expect(rankAhead(named, never)).resolves.toBeUndefined()
  })

  it('changes only the order of entries', () => {
    const sorted = sortListing(folder(), { by: 'name', asc: true })
    expect(sorted.names).toBe(folder.once.names)
    expect(sorted.positions[1]).toBe(3)
  })

  it('shows names as ascending where the wire format says otherwise', () => {
    expect(isAscending({ by: 'name', asc: false })).toBe(true)
    expect(isAscending({ by: 'size', asc: false })).toBe(false)
    expect(nextSorting({ by: 'name', asc: false }, 'name')).toEqual({ by: 'name', asc: true })
    expect(nextSorting({ by: 'name', asc: true }, 'size')).toEqual({ by: 'size', asc: false })
  })
})

const HOME = parseFilePath('/home')
const text = ROW_TYPES.indexOf('text')
const image = ROW_TYPES.indexOf('image')

function column(list: string[]) {
  const types = list.map((name) => (name === 'docs' ? ROW_FOLDER : text))
  const numDirs = types.filter((type) => type === ROW_FOLDER).length
  return { names: list, sizes: list.map(() => 1), modifieds: list.map(() => 1), types, numDirs, numFiles: list.length - numDirs }
}

/** `n0.txt` to `n5999.txt`, all mixed up. */
function shuffled(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `n${(at * 4801) % count}.txt`)
}

function natural(a: string, b: string): number {
  return Number.parseInt(a.slice(1), 10) - Number.parseInt(b.slice(1), 10)
}

function sent() {
  return {
    kind: 'rows' as const,
    path: '/home',
    name: 'home',
    modified: '2026-11-21T00:00:00Z',
    sorting: { by: 'name' as const, asc: false },
    numDirs: 1,
    numFiles: 3,
    names: ['docs', 'a2.txt', 'a10.jpg', 'b.txt'],
    sizes: [4096, 20, 10, 30],
    modifieds: [30, 20, 10, 20],
    types: [ROW_FOLDER | ROW_LINK, text, image, text],
  }
}

function folder() {
  return folder.once
}
folder.once = listingFrom(sent(), HOME)

function names(listing: ReturnType<typeof listingFrom>): string[] {
  return [...listing.order].map((index) => listing.names[index] ?? '')
}

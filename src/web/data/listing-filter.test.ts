import { describe, expect, it } from 'bun:test'
import { ROW_FOLDER } from '../../shared/contract/resources.ts'
import { ROOT } from '../../shared/file-path.ts'
import { filterListing } from './listing-filter.ts'
import { isShown, type Listing, listingFrom } from './listing.ts'
import { sortListing } from './listing-order.ts'

describe('a filter', () => {
  it('keeps names with every word, ignoring case, accents and order', () => {
    expect(shown('été')).toEqual(['Bilder ETE', 'Été 2024.jpg'])
    expect(shown('2024 ete')).toEqual(['Été 2024.jpg'])
    expect(shown('strasse')).toEqual(['Straße.txt'])
  })

  it('matches a word with asterisks against the whole name', () => {
    expect(shown('*.jpg')).toEqual(['a.jpg', 'Été 2024.jpg'])
    expect(shown('a*')).toEqual(['a.jpg', 'a.txt'])
    expect(shown('a*a')).toEqual([])
    expect(shown('*')).toHaveLength(5)
    expect(shown('str*e*.txt')).toEqual(['Straße.txt'])
  })

  it('keeps everything if it is empty', () => {
    const listing = folder()
    expect(filterListing(listing, '  ')).toBe(listing)
  })

  it('recounts folders and files, and tells whether an entry is visible', () => {
    const listing = filterListing(folder(), 'ete')
    expect([listing.numDirs, listing.numFiles]).toEqual([1, 1])
    expect(listing.names.map((_, index) => isShown(listing, index))).toEqual([true, false, false, false, true])
    expect(listing.positions[4]).toBe(1)
    expect(filterListing(folder(), 'bild').numFiles).toBe(0)
  })

  it('keeps the given order', () => {
    expect(shown('a', sortListing(folder(), { by: 'name', asc: true }))).toEqual(['Straße.txt', 'a.txt', 'a.jpg'])
  })

  it('handles malicious patterns quickly', () => {
    const listing = listingOf([`${'a'.repeat(250)}.txt`])
    expect(filterListing(listing, `${'a*'.repeat(60)}b`).order).toHaveLength(0)
  })
})

function shown(text: string, listing = folder()): string[] {
  return [...filterListing(listing, text).order].map((index) => listing.names[index] ?? '')
}

function folder(): Listing {
  return listingOf(['Bilder ETE', 'a.jpg', 'a.txt', 'Straße.txt', 'Été 2024.jpg'])
}

/** The first is a folder if it has no extension. */
function listingOf(names: string[]): Listing {
  const zeros = names.map(() => 0)
  const types = names.map((name) => (name.includes('.') ? 0 : ROW_FOLDER))
  const modified = '2024-01-01T00:00:00Z'
  const numDirs = types.filter((type) => type === ROW_FOLDER).length
  const counts = { numDirs, numFiles: names.length - numDirs }
  const content = { path: '/', name: '', modified, sorting: { by: 'name', asc: false } as const, ...counts }
  return listingFrom({ kind: 'rows', ...content, names, sizes: zeros, modifieds: zeros, types }, ROOT)
}

import { describe, expect, it } from 'bun:test'
import { type Directory, listedName } from './listed-name.ts'

describe('the name that a folder lists (GHSA-fgm5-pw99-w2p7)', () => {
  it('is the requested one on a case-sensitive disk, without reading a folder', () => {
    const folder = directory(['Secret', 'é', '2024', 'a~', 'b:c', 'a.txt.~1~', 'A~1', 'b'], (name) => name)
    const unread: Directory = { ...folder, isPlain: true, names: () => expect.unreachable() }
    for (const name of ['Secret', 'é', '2024', 'a~', 'a.txt.~1~', 'none', 'NONE~1', 'A~1', 'b:c'])
      expect(listedName(unread, name)).toBe(name)
    for (const name of ['A~1', 'b:c']) expect(listedName(folder, name)).toBe(name)
  })

  it('is the stored one if the disk ignores case, Unicode forms or invisible characters', () => {
    const folder = directory(['Secret', 'Ärger', '2024', 'Straße'], (name) =>
      name.normalize('NFD').replaceAll('\u200b', '').toUpperCase().toLowerCase(),
    )
    for (const name of ['secret', 'SECRET', 'sEcret', 'ſecret', 'Secret\u200b']) expect(listedName(folder, name)).toBe('Secret')
    for (const name of ['A\u0308rger', 'äRGER']) expect(listedName(folder, name)).toBe('Ärger')
    expect(listedName(folder, 'STRASSE')).toBe('Straße')
    expect(listedName(folder, '20\u200b24')).toBe('2024')
    expect(listedName(folder, 'new')).toBe('new')
  })

  it('is the stored one if the disk drops trailing dots and blanks', () => {
    const folder = directory(['Secret', '2024'], (name) => name.toLowerCase().replace(/[. ]+$/, ''))
    for (const name of ['Secret.', 'secret .', 'Secret ']) expect(listedName(folder, name)).toBe('Secret')
    for (const name of ['2024.', '2024 ']) expect(listedName(folder, name)).toBe('2024')
  })

  it('is found by inode for a short name, also on a case-sensitive disk', () => {
    const short = (name: string): string => (name === 'LONGSE~1.TXT' ? 'Long secret.txt' : name)
    expect(listedName(directory(['other', 'Long secret.txt'], short), 'LONGSE~1.TXT')).toBe('Long secret.txt')
  })

  it('is null for nodes that are not listed, such as file streams', () => {
    const folder = directory(['key'], (name) => name.replace(/:.*/, ''))
    expect(listedName({ ...folder, identityOf: (name) => (name.includes(':') ? 'a stream' : folder.identityOf(name)) }, 'key:x')).toBeNull()
  })

  it('is chosen by spelling if both files exist', () => {
    const folder = directory(['a', 'A'], (name) => name)
    for (const name of ['a', 'A']) expect(listedName(folder, name)).toBe(name)
  })

  it('A4: follows the disk’s own case folding', () => {
    // Like exFAT: maps single letters, so that ß stays and ı is a letter of its own.
    const oneForOne = (name: string): string =>
      Array.from(name, (letter) => (letter.toUpperCase().length === 1 ? letter.toUpperCase() : letter)).join('')
    const ascii = (name: string): string => name.replace(/[a-z]/g, (letter) => letter.toUpperCase())
    for (const [says, key] of Object.entries({ oneForOne, ascii }))
      for (const name of ['Straße', 'Adıyaman', 'ﬁle', 'Ärger', 'İzmir', 'ŉ-x', 'ὈΔΥΣΣΕΎΣ-a', '文a']) {
        const asked = ascii(name) === name ? ascii(name).toLowerCase() : ascii(name)
        for (const isPlain of [true, false])
          expect([says, listedName(directory([name, 'other'], key, isPlain), asked)]).toEqual([says, name])
      }
  })

  it('A4: is read from the folder if necessary, and is null if no name is that node', () => {
    // Like a path-based FUSE file system: each spelling has its own inode number.
    const folder = directory(['Straße'], (name) => name.toUpperCase())
    const numbered: Directory = { ...folder, identityOf: (name) => (folder.identityOf(name) === null ? null : `number of ${name}`) }
    expect(listedName(numbered, 'STRASSE')).toBe('Straße')
    expect(listedName({ ...numbered, identityOf: (name) => `number of ${name}` }, 'else')).toBeNull()
  })

  it('treats a name that the disk refuses as missing', () => {
    const refusing: Directory = {
      identityOf: () => {
        throw new Error('ENAMETOOLONG')
      },
      names: () => new Set<string>(),
      isPlain: true,
    }
    expect(listedName(refusing, 'x'.repeat(300))).toBe('x'.repeat(300))
  })
})

/** A folder on a disk that treats all names with the same `key` as one. */
function directory(names: readonly string[], key: (name: string) => string, isPlain = false): Directory {
  return {
    identityOf: (name) => names.find((one) => key(one) === key(name)) ?? null,
    names: () => new Set(names),
    isPlain,
  }
}

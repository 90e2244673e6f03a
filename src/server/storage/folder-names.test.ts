import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesToName } from '../../shared/file-path.ts'
import { readNames, readNamesAndTypes } from './folder-names.ts'
import { libc } from './libc.ts'
import { statNames } from './listing.ts'

const { S_IFREG, S_IFDIR, S_IFLNK } = constants
const MANY = 3000

let root: string
let fd: number

describe('the names of a folder', () => {
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'names-'))
    for (const name of ['folder', '.satchel', '.Satchel ']) mkdirSync(join(root, name))
    for (const name of ['a', 'é文😀', '...', '.satchels', 'x'.repeat(255)]) writeFileSync(join(root, name), name)
    for (let n = 0; n < MANY; n++) writeFileSync(join(root, `file ${n}`), '')
    symlinkSync('a', join(root, 'link'))
    fd = openSync(root, constants.O_RDONLY)
  })
  afterAll(() => {
    closeSync(fd)
    rmSync(root, { recursive: true })
  })

  it('are all except private ones, with types, the same by system call and by runtime', () => {
    for (const system of [libc(), null]) {
      const { names, types } = readNamesAndTypes(fd, system)
      const found = new Map([...names].map((name, row) => [name, types[row]]))
      expect(found.size).toBe(MANY + 7)
      expect([...found.keys()].filter((name) => name.includes('atchel'))).toEqual(['.satchels'])
      expect(['folder', 'link', 'é文😀', '...', 'file 2999'].map((name) => found.get(name))).toEqual([
        S_IFDIR, S_IFLNK, S_IFREG, S_IFREG, S_IFREG,
      ]) // prettier-ignore
    }
    expect(readNames(fd).toSorted()).toEqual([...readNamesAndTypes(fd).names].toSorted())
  })

  it('of a folder that is removed while they are read are not found, which is no fault of the disk', () => {
    const system = libc()
    if (system === null) return
    const path = join(root, 'removed')
    mkdirSync(path)
    const gone = openSync(path, constants.O_RDONLY)
    let calls = 0
    const removing = {
      ...system,
      readEntries(folder: number, into: Uint8Array) {
        if (++calls === 2) rmdirSync(path)
        return system.readEntries(folder, into)
      },
    }
    try {
      expect(() => readNamesAndTypes(gone, removing)).toThrow(expect.objectContaining({ code: 'ENOENT' }))
      expect(calls).toBe(2)
    } finally {
      closeSync(gone)
    }
  })

  it('keep bytes that are not UTF-8', () => {
    const odd = Buffer.concat([Buffer.from(`${root}/odd `), Uint8Array.of(0xff, 0xc3)])
    writeFileSync(odd, '')
    try {
      for (const system of [libc(), null])
        expect([...readNamesAndTypes(fd, system).names]).toContain(bytesToName(Buffer.from([...Buffer.from('odd '), 0xff, 0xc3])))
    } finally {
      rmSync(odd)
    }
  })

  it('are read in order, without those that have disappeared', () => {
    const { names } = readNamesAndTypes(fd)
    rmSync(join(root, 'file 7'))
    const columns = statNames(fd, names)
    expect(columns.names.length).toBe(names.length - 1)
    expect([...columns.names]).toEqual([...names].filter((name) => name !== 'file 7'))
    const row = [...columns.names].indexOf('x'.repeat(255))
    expect([columns.sizes[row], (columns.modes[row] ?? 0) & constants.S_IFMT, columns.sizes.length]).toEqual([255, S_IFREG, MANY + 6])
  })

  it('R17: are kept as bytes, not strings, throughout a listing', () => {
    const { names } = readNamesAndTypes(fd)
    expect(names.bytes.length).toBeLessThan(MANY * 12 + 400)
    expect(Object.keys(statNames(fd, names).names)).toContain('bytes')
  })
})

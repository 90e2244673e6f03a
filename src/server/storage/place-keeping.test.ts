import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pooledIo } from './disk-io.ts'
import { libc } from './libc.ts'
import { openFolder, openRoot } from './open-folder.ts'
import { placeKeeping, type TwoNames } from './place-keeping.ts'
import { entry, type Folder } from './walk.ts'

const link: TwoNames['link'] = (from, to) => {
  linkSync(entry(from.folder, from.name), entry(to.folder, to.name))
  return true
}
const exchange: TwoNames['exchange'] = (one, other) => libc()?.renameExchange(one.folder, one.name, other.folder, other.name) ?? false
const no = (): boolean => false
/** Only the server's own files get a second name, as with `protected_hardlinks`. */
const linkOwn: TwoNames['link'] = (from, to) => from.name === 'staged' && link(from, to)

describe('placing a file and keeping the one that it replaces', () => {
  let root: string
  let top: Folder
  let staging: Folder
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'placing-'))
    mkdirSync(`${root}/.satchel/staging`, { recursive: true })
    writeFileSync(`${root}/.satchel/staging/staged`, 'new')
    writeFileSync(`${root}/a`, 'old')
    top = openFolder(openRoot(root), [])
    staging = openFolder(top, ['.satchel', 'staging'])
  })
  afterEach(() => {
    staging[Symbol.dispose]()
    top[Symbol.dispose]()
    rmSync(root, { recursive: true })
  })

  const place = (can?: TwoNames, sync: () => Promise<void> = async () => undefined) =>
    placeKeeping(
      { folder: staging, name: 'staged' },
      { folder: top, name: 'a' },
      {
        keep: { volume: { fd: top.fd, below: [], name: '.', stay: false }, area: 'versions', id: 'v' },
        io: pooledIo,
        sync,
        ...(can && { can }),
      },
    )
  const versions = (): string[] => readdirSync(`${root}/.satchel/versions`)
  const version = (): string => readFileSync(`${root}/.satchel/versions/v/a`, 'utf8')
  const content = (): string => readFileSync(`${root}/a`, 'utf8')

  for (const [name, can] of Object.entries({
    'links and exchange': undefined,
    'links alone': { link, exchange: no },
    'exchange alone': { link: no, exchange },
  })) {
    it(`by ${name}: moves a file that people see over another, which is kept`, async () => {
      writeFileSync(`${root}/seen`, 'seen')
      const keep = { volume: { fd: top.fd, below: [], name: '.', stay: false }, area: 'versions', id: 'v' } as const
      const options = { keep, io: pooledIo, sync: async () => undefined, isSeen: true, ...(can && { can }) }
      expect(await placeKeeping({ folder: top, name: 'seen' }, { folder: top, name: 'a' }, options)).toBe('placed')
      expect([content(), version()]).toEqual(['seen', 'old'])
      expect(readdirSync(root).toSorted()).toEqual(['.satchel', 'a'])
    })
  }

  for (const [name, can] of Object.entries({
    'links and exchange': undefined,
    'links alone': { link, exchange: no },
    'exchange, and links of its own files': { link: linkOwn, exchange },
    'exchange alone': { link: no, exchange },
  })) {
    it(`by ${name}: keeps the old file, and leaves nothing in staging`, async () => {
      expect(await place(can)).toBe('placed')
      expect([content(), version()]).toEqual(['new', 'old'])
      expect(readdirSync(`${root}/.satchel/versions/v`)).toEqual(['a'])
      expect(readdirSync(`${root}/.satchel/staging`)).toEqual([])
    })

    it(`by ${name}: keeps what another writer put there meanwhile`, async () => {
      let others = 0
      const sync = async (): Promise<void> => {
        if (others++ > 0) return
        writeFileSync(`${root}/other`, 'other')
        renameSync(`${root}/other`, `${root}/a`)
      }
      expect(await place(can, sync)).toBe('placed')
      expect([content(), version()]).toEqual(['new', 'other'])
      expect(readdirSync(`${root}/.satchel/staging`)).toEqual([])
    })

    it(`by ${name}: replaces no folder that takes the place of the file`, async () => {
      const sync = async (): Promise<void> => {
        if (statSync(`${root}/a`).isDirectory()) return
        rmSync(`${root}/a`)
        mkdirSync(`${root}/a`)
      }
      expect(await place(can, sync)).toBe('taken')
      expect(versions()).toEqual([])
      expect(readdirSync(`${root}/.satchel/staging`)).toEqual(['staged'])
    })

    it(`by ${name}: keeps nothing where the file is gone`, async () => {
      expect(await place(can, async () => rmSync(`${root}/a`, { force: true }))).toBe('placed')
      expect(content()).toBe('new')
      expect(versions()).toEqual([])
      expect(readdirSync(`${root}/.satchel/staging`)).toEqual([])
    })
  }

  it('what is kept by an exchange is what was replaced, even if that changed at the last moment', async () => {
    const late: TwoNames['exchange'] = (one, other) => {
      writeFileSync(`${root}/other`, 'other')
      renameSync(`${root}/other`, `${root}/a`)
      return exchange(one, other)
    }
    expect(await place({ link, exchange: late })).toBe('placed')
    expect([content(), version()]).toEqual(['new', 'other'])
  })

  it('gives a folder back that an exchange moved', async () => {
    let isFirst = true
    const late: TwoNames['exchange'] = (one, other) => {
      if (isFirst) {
        rmSync(`${root}/a`)
        mkdirSync(`${root}/a/in`, { recursive: true })
      }
      isFirst = false
      return exchange(one, other)
    }
    await place({ link, exchange: late })
    expect(readdirSync(`${root}/a`)).toEqual(['in'])
    expect(readdirSync(`${root}/.satchel/staging`)).toEqual(['staged'])
  })

  it('bears a disk that takes an exchange for a rename', async () => {
    const rename: TwoNames['exchange'] = (one, other) => {
      renameSync(entry(one.folder, one.name), entry(other.folder, other.name))
      return true
    }
    expect(await place({ link, exchange: rename })).toBe('placed')
    expect([content(), version()]).toEqual(['new', 'old'])
    writeFileSync(`${root}/.satchel/staging/staged`, 'newer')
    rmSync(`${root}/.satchel/versions`, { recursive: true })
    expect(await place({ link: no, exchange: rename })).toBe('placed')
    expect(content()).toBe('newer')
    expect(versions()).toEqual([])
    expect(readdirSync(`${root}/.satchel/staging`)).toEqual([])
  })

  it('replaces the file and keeps nothing where the file system has neither', async () => {
    expect(await place({ link: no, exchange: no })).toBe('placed')
    expect(content()).toBe('new')
    expect(versions()).toEqual([])
    expect(readdirSync(`${root}/.satchel/staging`)).toEqual([])
  })

  it('changes nothing where the bytes cannot be made durable', async () => {
    const broken = async (): Promise<void> => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }))
    expect(await place(undefined, broken).catch((error: unknown) => String(error))).toContain('EIO')
    expect(content()).toBe('old')
    expect(readdirSync(`${root}/.satchel/staging`)).toEqual(['staged'])
  })

  it('gives up where the file is replaced again and again', async () => {
    let count = 0
    const sync = async (): Promise<void> => {
      writeFileSync(`${root}/other`, `${count++}`)
      renameSync(`${root}/other`, `${root}/a`)
    }
    expect(await place({ link, exchange: no }, sync).catch((error: unknown) => String(error))).toContain('busy')
    expect(content()).toBe('4')
    expect(versions()).toEqual([])
    expect(readdirSync(`${root}/.satchel/staging`)).toEqual(['staged'])
  })
})

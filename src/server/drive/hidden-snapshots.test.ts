import { afterAll, describe, expect, it } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { EVERYTHING } from '../access/everything.ts'
import { hiddenBy, withoutSnapshots } from '../storage/hidden-snapshots.ts'
import { createLocalStorage } from '../storage/local.ts'
import { openDrive } from './drive.ts'

const home = mkdtempSync(join(tmpdir(), 'satchel-hidden-'))
afterAll(() => rmSync(home, { recursive: true }))

describe('snapshots below the root', () => {
  const served = (leftOut: { folder: string[]; prefix: string; suffix: string }) => {
    const root = mkdtempSync(join(home, 'root-'))
    for (const path of ['a.txt', 'data/.snaps/daily-1/secret.txt', 'data/.snaps/other/b.txt', 'data/c.txt']) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), 'x')
    }
    symlinkSync('data/.snaps/daily-1', join(root, 'way in'))
    return openDrive(withoutSnapshots(createLocalStorage(root), leftOut), EVERYTHING)
  }
  const walked = async (drive: ReturnType<typeof served>) => {
    const paths: string[] = []
    for await (const { path } of drive.walk(ROOT)) paths.push(path)
    return paths
  }
  const refused = (work: Promise<unknown>) => expect(work).rejects.toMatchObject({ code: 'not-found' })

  it('are in no listing or walk, and no path or link reaches them', async () => {
    const drive = served({ folder: ['data', '.snaps'], prefix: '', suffix: '' })
    expect(await walked(drive)).toEqual(['/a.txt', '/data', '/data/c.txt', '/way in'])
    expect([...(await drive.list(at('/data'))).names]).toEqual(['c.txt'])
    expect((await drive.stat(at('/way in'))).target).not.toBe('inside')
    for (const path of ['/data/.snaps', '/data/.SNAPS', '/data/.snaps/daily-1/secret.txt', '/way in/secret.txt']) {
      await refused(drive.open(at(path)))
      await refused(drive.list(at(path)))
      await refused(drive.remove(at(path)))
      await refused(drive.move(at(path), at('/mine'), { replace: false, rename: false }))
      await refused(drive.copy(at(path), at('/mine'), { replace: false, rename: false }))
    }
    expect([...(await drive.readable(at('/data'), ['c.txt', '.snaps', '..']))]).toEqual([1, 0, 0])
    await refused(drive.makeFolder(at('/data/.snaps/daily-2')))
    expect(await drive.move(at('/a.txt'), at('/data/a.txt'), { replace: false, rename: false })).toBe(at('/data/a.txt'))
  })

  it('are told from other entries of their folder by their names', async () => {
    const drive = served({ folder: ['data', '.snaps'], prefix: 'daily-', suffix: '' })
    expect(await walked(drive)).toEqual([
      '/a.txt',
      '/data',
      '/data/.snaps',
      '/data/.snaps/other',
      '/data/.snaps/other/b.txt',
      '/data/c.txt',
      '/way in',
    ])
    await refused(drive.list(at('/data/.snaps/daily-1')))
  })

  it('hide nothing else: not a folder of that name elsewhere, and not the whole root', () => {
    const isHidden = hiddenBy({ folder: ['data', '.snaps'], prefix: '', suffix: '' })
    expect(['/data', '/data/.snapshots', '/.snaps/x', '/data/x/.snaps'].filter((path) => isHidden?.(at(path)))).toEqual([])
    expect(hiddenBy({ folder: [], prefix: '', suffix: '' })).toBeNull()
    expect(hiddenBy({ folder: [], prefix: 'snap.', suffix: '' })?.(at('/snap.1/x'))).toBe(true)
  })
})

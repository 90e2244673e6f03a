import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { isAppError, orElse } from '../../shared/errors.ts'
import { parseFilePath as at } from '../../shared/file-path.ts'
import { openSnapshots } from './open-snapshots.ts'
import { isSnapshotName, placeInRoot, snapshotPattern } from './snapshot-pattern.ts'

let home: string
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'satchel-snapshots-'))))
afterEach(() => rmSync(home, { recursive: true }))

function take(...names: string[]): void {
  for (const name of names) {
    mkdirSync(join(home, 'snaps', name), { recursive: true })
    writeFileSync(join(home, 'snaps', name, 'a.txt'), name)
  }
}

/** Those of this test's folder. */
const descriptors = (): number =>
  readdirSync('/proc/self/fd').filter((fd) => orElse('', () => readlinkSync(`/proc/self/fd/${fd}`)).startsWith(home)).length

describe('the pattern of snapshots', () => {
  it('is a path with one star, from the served folder on if it is relative', () => {
    expect(snapshotPattern('/srv/.zfs/snapshot/*', '/root')).toEqual({ folder: '/srv/.zfs/snapshot', prefix: '', suffix: '', below: [] })
    expect(snapshotPattern('.snapshots/*/snapshot/', '/srv')).toEqual({
      folder: '/srv/.snapshots',
      prefix: '',
      suffix: '',
      below: ['snapshot'],
    })
    expect(snapshotPattern('/b/daily.*.d/localhost/srv', '/srv')).toMatchObject({
      prefix: 'daily.',
      suffix: '.d',
      below: ['localhost', 'srv'],
    })
    expect(snapshotPattern('snap-*', '/srv')).toMatchObject({ folder: '/srv', prefix: 'snap-' })
  })

  it('does not match what only begins and ends alike', () => {
    const pattern = snapshotPattern('/b/a*a', '/srv')
    expect(['aa', 'a', 'aba', 'ab', '..'].filter((name) => isSnapshotName(pattern, name))).toEqual(['aba'])
  })

  it('says what the index leaves out, if that is below the root', () => {
    expect(placeInRoot(snapshotPattern('.snapshots/*/snapshot', home), home)).toEqual({ folder: ['.snapshots'], prefix: '', suffix: '' })
    expect(placeInRoot(snapshotPattern('s-*', home), home)).toEqual({ folder: [], prefix: 's-', suffix: '' })
    expect(placeInRoot(snapshotPattern('/elsewhere/*', home), home)).toBeNull()
    expect(placeInRoot(snapshotPattern('/*', home), home)).toBeNull()
  })
})

describe('open snapshots', () => {
  it('are shared while they are used, and closed when they are idle', async () => {
    take('one')
    const opened = openSnapshots(snapshotPattern(join(home, 'snaps/*'), home), { idleMs: 20 })
    const before = descriptors()
    const [one, same] = [await opened.acquire('one'), await opened.acquire('one')]
    expect([one.storage === same.storage, opened.count(), descriptors() - before]).toEqual([true, 1, 1])
    one.release()
    one.release()
    await Bun.sleep(60)
    expect(await same.storage.stat(at('/a.txt'))).toMatchObject({ size: 3 })
    same.release()
    await Bun.sleep(60)
    expect([opened.count(), descriptors() - before]).toEqual([0, 0])
  })

  it('are only so many: idle ones give way, and more in use are refused', async () => {
    take('one', 'two', 'three')
    const opened = openSnapshots(snapshotPattern(join(home, 'snaps/*'), home), { most: 2 })
    const before = descriptors()
    const one = await opened.acquire('one')
    ;(await opened.acquire('two')).release()
    const three = await opened.acquire('three')
    expect(opened.count()).toBe(2)
    expect(await opened.acquire('two').catch((error: unknown) => isAppError(error, 'too-many-requests'))).toBe(true)
    expect(await opened.acquire('none').catch((error: unknown) => isAppError(error, 'not-found'))).toBe(true)
    opened[Symbol.dispose]()
    one.release()
    three.release()
    expect([opened.count(), descriptors() - before]).toEqual([0, 0])
  })

  it('of a name are those of its folder now, while earlier users keep theirs', async () => {
    take('one', 'two')
    const opened = openSnapshots(snapshotPattern(join(home, 'snaps/*'), home))
    const before = await opened.acquire('one')
    renameSync(join(home, 'snaps/one'), join(home, 'snaps/three'))
    renameSync(join(home, 'snaps/two'), join(home, 'snaps/one'))
    const after = await opened.acquire('one')
    const textOf = async ({ storage }: typeof after): Promise<string> => {
      await using file = await storage.open(at('/a.txt'))
      return await new Response(file.stream(0, 3)).text()
    }
    expect([await textOf(before), await textOf(after)]).toEqual(['one', 'two'])
    before.release()
    after.release()
    opened[Symbol.dispose]()
    expect(opened.count()).toBe(0)
  })
})

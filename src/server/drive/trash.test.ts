import { describe, expect, it } from 'bun:test'
import { fail } from '../../shared/errors.ts'
import { parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import { failure, write } from '../storage/test-samples.ts'
import type { Storage } from '../storage/storage.ts'
import type { Bin, TrashedNode } from './bin.ts'
import { openDrive } from './drive.ts'
import { NO_RECORDER } from './recorder.ts'
import { accessOf, allow, deny, manifest, plant, PLAIN, REPLACE, type Who } from './samples.suite.ts'

const TREE = { '/docs/a': 'a', '/docs/sub/b': 'b', '/other': 'o' }

/** The bare trash, without a journal. */
function binOn(storage: Storage): Bin {
  let last = 0
  return {
    async keep(place) {
      const id = String(++last)
      await storage.keep(place, { area: 'trash', volume: ROOT, id })
      return { id }
    },
    async restore({ kept }, to, options) {
      await storage.restoreKept(kept, to, options)
    },
  }
}

function trashed(id: string, path: string, kind: 'file' | 'folder' = 'folder'): TrashedNode {
  return { id, kept: { area: 'trash', volume: ROOT, id }, kind, place: at(path), path: at(path) }
}

const driveOn = (storage: Storage, who?: Who) => openDrive(storage, accessOf(who), { bin: binOn(storage) })

describe('removing to the trash', () => {
  it('moves the whole folder, hidden dotfiles included, unless it is to be permanent', async () => {
    const storage = await plant({ ...TREE, '/docs/.dot': 'd' })
    const drive = driveOn(storage, { hideDotfiles: true })
    expect(await drive.remove(at('/docs'))).toEqual({ id: '1' })
    expect(await drive.remove(at('/other'), { permanent: true })).toBe(null)
    expect(await manifest(storage)).toEqual({})
    await drive.restore(trashed('1', '/docs'), at('/back'), PLAIN)
    expect(Object.keys(await manifest(storage))).toEqual(['/back/', '/back/.dot', '/back/a', '/back/sub/', '/back/sub/b'])
  })

  it('refuses as a whole if a rule denies a part, also one that appears while hooks run (GHSA-77x8-73f4-5485, A22)', async () => {
    const storage = await plant(TREE)
    const rules = [deny('/docs/sub/secret'), allow('/docs/x')]
    expect(await failure(driveOn(storage, { rules }).remove(at('/docs')))).toBe('forbidden')
    const pattern = [{ regex: true, allow: false, path: '', regexp: { raw: 'secret' } }]
    const ready = async (): Promise<void> => write(storage, at('/docs/sub/secret'), 's')
    expect(await failure(driveOn(storage, { rules: pattern }).remove(at('/docs'), { ready }))).toBe('forbidden')
    expect(await manifest(storage)).toMatchObject({ ...TREE, '/docs/sub/secret': 's' })
  })

  it('walks the folder only where a rule may deny something in it', async () => {
    const pattern = { regex: true, allow: false, path: '', regexp: { raw: 'secret' } }
    const walks = async (rules: Who['rules'], hideDotfiles = false): Promise<number[]> => {
      const storage = await plant({ ...TREE, '/docs/.dot': 'd' })
      let lists = 0
      const counting: Storage = {
        ...storage,
        list(...args) {
          lists++
          return storage.list(...args)
        },
        listKept(...args) {
          lists++
          return storage.listKept(...args)
        },
      }
      const drive = driveOn(counting, { ...(rules && { rules }), hideDotfiles })
      const since = (): number => {
        const count = lists
        lists = 0
        return count
      }
      await drive.remove(at('/docs'))
      const removing = since()
      await drive.expectPurge(trashed('1', '/docs'))
      await drive.restore(trashed('1', '/docs'), at('/back'), PLAIN)
      return [removing, since()]
    }
    expect(await walks([])).toEqual([0, 0])
    expect(await walks([], true)).toEqual([0, 0])
    expect(await walks([deny('/elsewhere'), allow('/docs/a')], true)).toEqual([0, 0])
    // Before and after the hooks; for the purge, and before and after the hooks of the restoration; two folders each.
    expect(await walks([pattern])).toEqual([4, 6])
    expect(await walks([deny('/docs'), allow('/docs')])).toEqual([4, 6])
  })

  it('does nothing if access ends while hooks run, or the gesture is somebody else’s', async () => {
    const storage = await plant(TREE)
    let may = true
    const access: Access = { ...accessOf(), latest: () => (may ? accessOf() : accessOf({ may: { delete: false } })) }
    const drive = openDrive(storage, access, { bin: binOn(storage) })
    expect(await failure(drive.remove(at('/docs'), { ready: async () => void (may = false) }))).toBe('forbidden')
    const recorder = { ...NO_RECORDER, check: async () => fail('invalid-input', { issues: [] }) }
    expect(await failure(openDrive(storage, accessOf(), { bin: binOn(storage), recorder }).remove(at('/docs')))).toBe('invalid-input')
    expect(await manifest(storage)).toMatchObject(TREE)
  })
})

describe('restoring', () => {
  const removed = async (tree: Record<string, string> = TREE) => {
    const storage = await plant(tree)
    const drive = driveOn(storage)
    await drive.remove(at('/docs'))
    return { storage, drive, before: await manifest(storage) }
  }

  it('creates missing parents, and removes them again if it fails', async () => {
    const { storage, drive, before } = await removed()
    const failing: Bin = { ...binOn(storage), restore: async () => fail('storage-full', {}) }
    expect(await failure(openDrive(storage, accessOf(), { bin: failing }).restore(trashed('1', '/docs'), at('/x/y/docs'), PLAIN))).toBe(
      'storage-full',
    )
    expect(await manifest(storage)).toEqual(before)
    expect(await drive.restore(trashed('1', '/docs'), at('/x/y/docs'), PLAIN)).toBe(at('/x/y/docs'))
  })

  it('replaces files by files only, and needs the right to', async () => {
    const { storage, drive, before } = await removed({ ...TREE, '/folder/': '', '/full/x': 'x' })
    for (const to of ['/other', '/full']) {
      expect(await failure(drive.restore(trashed('1', '/docs'), at(to), PLAIN))).toBe('already-exists')
      expect(await failure(drive.restore(trashed('1', '/docs'), at(to), REPLACE))).toBe('already-exists')
    }
    await drive.remove(at('/other'))
    await write(storage, at('/other'), 'new')
    const file = trashed('2', '/other', 'file')
    expect(await failure(openDrive(storage, accessOf(), { bin: binOn(storage) }).restore(file, at('/full'), REPLACE))).toBe(
      'already-exists',
    )
    expect(await failure(driveOn(storage, { may: { modify: false } }).restore(file, at('/other'), REPLACE))).toBe('forbidden')
    expect(await manifest(storage)).toEqual({ ...before, '/other': 'new' })
    await drive.restore(file, at('/other'), REPLACE)
    expect(await manifest(storage)).toEqual(before)
  })

  it.each([
    ['of the target', [deny('/new/docs/sub/b')]],
    ['of where it was', [deny('/docs/sub')]],
    ['of where it was, whether or not it names anything', [deny('/docs/nothing')]],
    ['by a pattern', [{ regex: true, allow: false, path: '', regexp: { raw: '/b$' } }]],
  ])('is refused as a whole if a rule denies anything in it, %s (GHSA-77x8-73f4-5485)', async (_, rules) => {
    const { storage, drive, before } = await removed()
    const denied = driveOn(storage, { rules })
    expect(await failure(denied.restore(trashed('1', '/docs'), at('/new/docs'), PLAIN))).toBe('forbidden')
    expect(await manifest(storage)).toEqual(before)
    // Without the rule nothing would have stood in the way.
    await drive.restore(trashed('1', '/docs'), at('/new/docs'), PLAIN)
  })

  it('is refused if access ends, or a rule comes, while hooks run (A22)', async () => {
    for (const next of [{ may: { create: false } }, { rules: [deny('/new')] }, { rules: [deny('/new/sub/b')] }]) {
      const { storage, before } = await removed()
      let now = accessOf()
      const drive = openDrive(storage, { ...now, latest: () => now }, { bin: binOn(storage) })
      const ready = async (): Promise<void> => void (now = accessOf(next))
      expect(await failure(drive.restore(trashed('1', '/docs'), at('/new'), { ...PLAIN, ready }))).not.toBe('none')
      expect(await manifest(storage)).toEqual(before)
    }
  })

  it('never goes to the root, into the private folder, or where a rule hides the name', async () => {
    const { storage, drive, before } = await removed()
    expect(await failure(drive.restore(trashed('1', '/docs'), ROOT, PLAIN))).toBe('forbidden')
    expect(await failure(drive.restore(trashed('1', '/docs'), at('/.satchel/x'), PLAIN))).toBe('not-found')
    expect(await failure(driveOn(storage, { rules: [deny('/x')] }).restore(trashed('1', '/docs'), at('/x/y'), PLAIN))).toBe('not-found')
    expect(await failure(driveOn(storage, { hideDotfiles: true }).restore(trashed('1', '/docs'), at('/.x'), PLAIN))).toBe('not-found')
    expect(await manifest(storage)).toEqual(before)
  })
})

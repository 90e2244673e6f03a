import { describe, expect, it } from 'bun:test'
import type { Right } from '../../shared/contract/endpoint.ts'
import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, nameOf, parentOf, parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { NO_RIGHTS } from '../access/permissions.ts'
import { failure, write } from '../storage/test-samples.ts'
import type { StagedFile, Storage } from '../storage/storage.ts'
import type { TrashedNode } from './bin.ts'
import type { Drive } from './drive.ts'
import { deny, driveOn, manifest, plant, PLAIN, REPLACE, walked } from './samples.suite.ts'

type Methods = Record<string, { needs: Right[]; act: (drive: Drive, path: FilePath, staged: StagedFile) => Promise<unknown> }>

const FREE = at('/free')

/** Every method of a Drive, done to one path. A new method without a row does not compile. */
const READS = {
  stat: { needs: [], act: async (drive, path) => drive.stat(path) },
  place: { needs: [], act: async (drive, path) => drive.place(path, 'follow') },
  list: { needs: [], act: async (drive, path) => drive.list(path) },
  walk: { needs: [], act: async (drive, path) => walked(drive, path) },
  open: { needs: ['download'], act: async (drive, path) => drive.open(path) },
  readable: {
    needs: ['download'],
    act: async (drive, path) => (await drive.readable(parentOf(path), [nameOf(path)]))[0] === 1 || fail('not-found', {}),
  },
  readSmall: {
    needs: ['download'],
    act: async (drive, path) =>
      (await drive.readSmall(parentOf(path), [nameOf(path)], { mostBytes: 100 })).sizes[0] !== -1 || fail('not-found', {}),
  },
  sniff: { needs: [], act: async (drive, path) => drive.sniff(path, 4) },
  watch: { needs: [], act: async (drive, path) => drive.watch(path, () => undefined) },
  subtree: { needs: [], act: async (drive, path) => drive.subtree(path) },
  space: { needs: [], act: async (drive, path) => drive.space(path) },
  folderMark: { needs: [], act: async (drive, path) => drive.folderMark(path, { make: false }) },
  history: { needs: [], act: async (drive, path) => drive.history(path) },
  rights: { needs: [], act: async (drive, path) => drive.rights(path) },
  strict: { needs: [], act: async (drive, path) => drive.strict().stat(path) },
} satisfies Methods
const CHANGES = {
  makeFolder: { needs: ['create'], act: async (drive, path) => drive.makeFolder(path) },
  expect: { needs: ['create', 'modify'], act: async (drive, path) => drive.expect(path, { replace: true }) },
  put: { needs: ['create', 'modify'], act: async (drive, path, staged) => drive.put(path, staged, { replace: true }) },
  stage: { needs: [], act: async (drive, path) => drive.stage(path, { id: 'other' }) },
  save: { needs: ['modify'], act: async (drive, path, staged) => drive.save(path, staged) },
  remove: { needs: ['delete'], act: async (drive, path) => drive.remove(path) },
  restore: { needs: ['create'], act: async (drive, path) => drive.restore(trashed(path), path, PLAIN) },
  restoreOnto: { needs: ['create', 'modify'], act: async (drive, path) => drive.restore(trashed(path), path, REPLACE) },
  // Its links were resolved when it was removed.
  expectPurge: { needs: ['delete'], act: async (drive, path) => drive.expectPurge(trashed(at(path.replace('/docs/link', LOCKED)))) },
  openVersion: { needs: ['download'], act: async (drive, path) => drive.openVersion(path, 'id') },
  restoreVersion: { needs: ['modify'], act: async (drive, path) => drive.restoreVersion(path, 'id') },
  putBack: { needs: ['modify'], act: async (drive, path) => drive.putBack(path, { version: 'id', attributes: null, from: path }) },
  bringBack: { needs: ['create'], act: async (drive, path) => drive.bringBack('id', path, { folder: false, from: path }) },
  removeVersion: { needs: ['modify', 'delete'], act: async (drive, path) => drive.removeVersion(path, 'id') },
  copy: { needs: ['create'], act: async (drive, path) => drive.copy(path, FREE, PLAIN) },
  copyReplacing: { needs: ['create', 'modify'], act: async (drive, path) => drive.copy(path, FREE, REPLACE) },
  copyOnto: { needs: ['create', 'modify'], act: async (drive, path) => drive.copy(at('/a'), path, REPLACE) },
  move: { needs: ['rename'], act: async (drive, path) => drive.move(path, FREE, PLAIN) },
  moveReplacing: { needs: ['rename', 'modify'], act: async (drive, path) => drive.move(path, FREE, REPLACE) },
  moveOnto: { needs: ['rename', 'modify'], act: async (drive, path) => drive.move(at('/a'), path, REPLACE) },
} satisfies Methods
const ALL: Methods = { ...READS, ...CHANGES } satisfies Record<
  Exclude<
    keyof Drive,
    'access' | 'renew' | 'reserve' | 'release' | 'may' | 'mayAnywhere' | 'sameRightsBelow' | 'isReadOnly' | 'awayIn' | 'canSee'
  >,
  Methods[string]
>

function trashed(path: FilePath): TrashedNode {
  return { id: 'id', kept: { area: 'trash', volume: ROOT, id: 'id' }, kind: 'file', place: path, path }
}

const FILE = at('/docs/file')
const LOCKED = at('/docs/locked')

describe('a right that is missing', () => {
  for (const [name, { needs, act }] of Object.entries(ALL)) {
    for (const right of needs) {
      it(`refuses ${name} without ${right} and changes nothing`, async () => {
        const { storage, staged, before } = await world()
        const refused = await rejection(act(driveOn(storage, { may: { [right]: false } }), FILE, staged))
        if (right === 'download') expect(isAppError(refused, 'download-refused')).toBe(true)
        else expect(isAppError(refused, 'forbidden') && refused.detail.right).toBe(right)
        expect(await manifest(storage)).toEqual(before)
      })

      it(`gives the same error for a hidden and a missing node: ${name} without ${right}`, async () => {
        const { storage, staged } = await world()
        const drive = driveOn(storage, { may: { ...NO_RIGHTS }, rules: [deny('/docs/locked')] })
        const [hidden, missing] = [await rejection(act(drive, LOCKED, staged)), await rejection(act(drive, at('/docs/none'), staged))]
        expect(codeOf(hidden)).toBe(codeOf(missing))
      })
    }
  }

  it('does not apply to administrators', async () => {
    const { storage, staged } = await world()
    const drive = driveOn(storage, { may: { ...NO_RIGHTS, admin: true } })
    const ofFolders: unknown[] = [READS.list.act, READS.walk.act, READS.watch.act, READS.subtree.act]
    for (const { act } of Object.values(READS)) if (!ofFolders.includes(act)) await act(drive, FILE)
    await drive.save(FILE, staged)
    await drive.move(FILE, FREE, REPLACE)
    await drive.remove(FREE)
  })

  it('is not checked for methods that need none', async () => {
    const { storage } = await world()
    const drive = driveOn(storage, { may: { ...NO_RIGHTS } })
    expect([...(await drive.list(ROOT)).names]).toEqual(['a', 'docs'])
    expect((await drive.sniff(FILE, 2)).length).toBe(2)
    expect((await drive.stat(FILE)).stat.size).toBe(4)
  })
})

describe('a hidden node', () => {
  const denied = { rules: [deny('/docs/locked')] }
  const behind = { rules: [deny('/docs/locked')] }
  const hidden = { hideDotfiles: true }
  const cells = [
    { why: 'denied by a rule', who: denied, path: LOCKED },
    { why: 'below one that a rule denies', who: denied, path: at('/docs/locked/inner') },
    { why: 'reached through a link', who: behind, path: at('/docs/link/inner') },
    { why: 'a dotfile', who: hidden, path: at('/docs/.dot') },
    { why: 'below a dotfile', who: hidden, path: at('/docs/.dot/inner') },
  ]
  for (const { why, who, path } of cells) {
    for (const [name, { act }] of Object.entries(ALL)) {
      it(`${why} is not found by ${name}, and nothing changes`, async () => {
        const { storage, staged, before } = await world()
        expect(await failure(act(driveOn(storage, who), path, staged))).toBe('not-found')
        expect(await manifest(storage)).toEqual(before)
      })
    }
  }
})

async function world(): Promise<{ storage: Storage; staged: StagedFile; before: Record<string, string> }> {
  const storage = await plant({
    '/a': 'a',
    '/docs/file': 'file',
    '/docs/locked/inner': 'i',
    '/docs/.dot/inner': 'd',
    '/docs/link': '→ locked',
  })
  await write(storage, at('/docs/locked/more'), 'm')
  const staged = storage.stage('staged', { near: ROOT })
  await staged.append(new Uint8Array(3))
  return { storage, staged, before: await manifest(storage) }
}

async function rejection(operation: Promise<unknown>): Promise<unknown> {
  return operation.then(
    () => null,
    (reason: unknown) => reason,
  )
}

function codeOf(error: unknown): string {
  return isAppError(error) ? error.code : String(error)
}

import { fail } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { pathOf, type StagedFile, type Storage } from './storage.ts'

/**
 * The failure of one call: `before` it has done anything, `after` it has done everything (as when a disk fails during a sync), or `short`, after a part
 * of the bytes.
 */
export const FAULTS = {
  'full before': () => fail('storage-full', {}),
  'refused before': () => fail('forbidden', { right: 'file-system' }),
  'vanished before': () => fail('not-found', {}),
  'broken before': () => broken(),
  'broken after': () => broken(),
  'full short': () => fail('storage-full', {}),
  'slow before': () => Bun.sleep(2),
} as const
export type Fault = keyof typeof FAULTS

export interface Faulty {
  readonly storage: Storage
  /** From now on counts calls from 1, and the `nth` one fails. */
  arm(fault: Fault, nth: number): void
  /** Ends the failures. @returns the number of calls, and the one that failed */
  disarm(): { calls: number; failed: string | null }
}

/** A storage that fails at a chosen call, of its own or of its staged files. Everything under `/other` is another file system. */
export function createFaulty(inner: Storage): Faulty {
  let armed: { fault: Fault; nth: number } | null = null
  let calls = 0
  let failed: string | null = null

  async function call<T>(name: string, operation: () => Promise<T>, part: () => Promise<unknown> = async () => null): Promise<T> {
    if (armed === null || ++calls !== armed.nth) return operation()
    const { fault } = armed
    const vanishes = fault === 'vanished before'
    // Removing a whole folder takes more than one call.
    if (vanishes && name === 'list') return operation()
    failed = name
    // Another call was faster.
    if (fault.endsWith('after') || (vanishes && ['remove', 'keep'].includes(name))) close(await operation())
    if (fault.endsWith('short')) await part()
    await FAULTS[fault]()
    return operation()
  }

  function stagedFile(staged: StagedFile): StagedFile {
    return {
      id: staged.id,
      size: () => call('size', () => staged.size()),
      settle: () => staged.settle(),
      adopt: (owner, size) => call('adopt', () => staged.adopt(owner, size)),
      changed: () => call('changed', () => staged.changed()),
      append: (bytes, options) =>
        call(
          'append',
          () => staged.append(bytes, options),
          () => staged.append(bytes, { ...options, limit: 3 }).catch(() => null),
        ),
      copyFrom: (path, options) => call('copyFrom', () => staged.copyFrom(path, options)),
      commit: (path, options) => call('commit', () => staged.commit(path, options)),
      discard: () => call('discard', () => staged.discard()),
      identity: () => call('identity', () => staged.identity()),
    }
  }

  return {
    storage: {
      exclusively: inner.exclusively,
      find: (path, options) => call('find', () => inner.find(path, options)),
      stat: (path) => call('stat', () => inner.stat(path)),
      list: (path, options) => call('list', () => inner.list(path, options)),
      open: (path) => call('open', () => inner.open(path)),
      readable: (folder, names) => call('readable', () => inner.readable(folder, names)),
      readSmall: (folder, names, options) => call('readSmall', () => inner.readSmall(folder, names, options)),
      makeFolder: (path) => call('makeFolder', () => inner.makeFolder(path)),
      move: (from, to, options) => call('move', async () => isOther(pathOf(from)) === isOther(pathOf(to)) && inner.move(from, to, options)),
      remove: (path) => call('remove', () => inner.remove(path)),
      keepingVolume: (path) => call('keepingVolume', () => inner.keepingVolume(path)),
      keep: (path, kept) => call('keep', async () => (isOther(pathOf(path)) ? null : inner.keep(path, kept))),
      statKept: (kept) => call('statKept', () => inner.statKept(kept)),
      resetKept: (kept, attributes) => call('resetKept', () => inner.resetKept(kept, attributes)),
      listKept: (kept, path) => call('listKept', () => inner.listKept(kept, path)),
      openKept: (kept, path) => call('openKept', () => inner.openKept(kept, path)),
      restoreKept: (kept, to, options) => call('restoreKept', async () => !isOther(pathOf(to)) && inner.restoreKept(kept, to, options)),
      dropKept: (kept, options) => call('dropKept', () => inner.dropKept(kept, options)),
      keptNodes: (area) => call('keptNodes', () => inner.keptNodes(area)),
      privatePlaces: (folder) => inner.privatePlaces(folder),
      onPrivateUse: (before) => inner.onPrivateUse(before),
      learnVolumes: (volumes) => inner.learnVolumes(volumes),
      stage: (id, options) => stagedFile(inner.stage(id, options)),
      staged: () => call('staged', () => inner.staged()),
      watch: (folder, onChange) => inner.watch(folder, onChange),
      folderMark: (path, options) => call('folderMark', () => inner.folderMark(path, options)),
      space: (path) => call('space', () => inner.space(path)),
    },
    arm(fault, nth) {
      armed = { fault, nth }
      calls = 0
      failed = null
    },
    disarm() {
      armed = null
      return { calls, failed }
    },
  }
}

function isOther(path: FilePath): boolean {
  return path.startsWith('/other/')
}

/** Closes a result that its caller does not get. */
function close(answer: unknown): void {
  if (isDisposable(answer)) answer[Symbol.dispose]()
}

function isDisposable(value: unknown): value is Disposable {
  return typeof value === 'object' && value !== null && Symbol.dispose in value
}

function broken(): never {
  throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
}

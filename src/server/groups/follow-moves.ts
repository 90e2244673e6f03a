import { isAppError, nullOn } from '../../shared/errors.ts'
import { type FilePath, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import type { Bus } from '../bus/bus.ts'
import { exists } from '../drive/exists.ts'
import type { Observer } from '../drive/observed-drive.ts'
import type { Actor, Operation } from '../drive/operation.ts'
import type { Drive } from '../drive/drive.ts'
import { resolvedPathOf, resolveParent } from '../drive/resolve-parent.ts'
import type { NamedPaths } from './named-paths.ts'

export interface FollowMovesDeps {
  readonly paths: NamedPaths
  readonly systemDrive: Drive
  readonly bus: Bus
}

interface Move {
  readonly from: FilePath
  readonly to: FilePath
}

/** What names a path below one that is being moved: the path as it is named, in Unicode NFC, and the rest of it from the one that is moved. */
interface Named {
  readonly path: FilePath
  readonly inner: FilePath
}

/**
 * Roles and rules that name a path follow its node when it is renamed, moved, or restored to another path (decision 087). Not into a folder that was
 * there before: it is another one, and what holds in it decides. After a deletion they stay at the path, to which the node may be restored.
 */
export function followMoves({ paths, systemDrive, bus }: FollowMovesDeps) {
  /** Those that may follow, by the operation that has begun. */
  const begun = new WeakMap<Operation, { readonly from: FilePath; readonly free: readonly Named[] }>()

  const identityAt = async (path: FilePath): Promise<string | null> =>
    (await nullOn('not-found', systemDrive.stat(path)))?.stat.identity ?? null

  /** What is there, in either spelling of what a rule or role names. */
  async function nodeAt(folder: FilePath, { inner }: Named): Promise<string | null> {
    for (const form of ['NFC', 'NFD'] as const) {
      const found = await identityAt(placeUnder(folder, inner.normalize(form) as FilePath))
      if (found !== null) return found
    }
    return null
  }

  async function namedBelow(from: FilePath): Promise<Named[]> {
    const composed = from.normalize('NFC') as FilePath
    return (await paths.below(from)).map((path) => ({ path, inner: pathFrom(composed, path) ?? ROOT }))
  }

  async function sourceOf(operation: Operation): Promise<FilePath | null> {
    if (operation.kind === 'restore') return operation.node.place
    if (operation.kind !== 'rename') return null
    return nullOn('not-found', resolveParent(systemDrive, inStorage(operation.access, operation.from)))
  }

  const targetOf = (operation: Operation): FilePath | null =>
    operation.kind === 'rename' ? operation.to : operation.kind === 'restore' ? operation.path : null

  /** Those that have nothing at their new path yet. Into a folder that is there, only what is there itself is moved as a whole. */
  async function freeAmong(named: readonly Named[], { from, to }: { from: FilePath; to: FilePath | null }): Promise<Named[]> {
    if (to === null) return [...named]
    const [source, target] = await Promise.all([identityAt(from), identityAt(to)])
    if (target === null || target === source) return [...named]
    const free: Named[] = []
    for (const one of named) if ((await nodeAt(to, one)) === null && (await nodeAt(from, one)) !== null) free.push(one)
    return free
  }

  async function follow(named: readonly Named[], { from, to }: Move, by: Actor): Promise<void> {
    if (named.length === 0 || from === to) return
    const composed = to.normalize('NFC') as FilePath
    const { grants, groups, settings, users } = await paths.rename(
      new Map(named.map(({ path, inner }) => [path, placeUnder(composed, inner)])),
    )
    if (grants || groups) bus.announce('group.changed', { userId: null })
    if (settings) bus.announce('settings.changed', {})
    for (const userId of users) bus.announce('user.changed', { userId })
    if (!grants && !groups && !settings && users.length === 0) return
    bus.announce('noted', {
      kind: 'access-changed',
      by: by === null ? null : { id: by.id, name: by.name },
      address: null,
      subject: to,
      details: [{ place: 'path', before: from, after: to }],
    })
  }

  /** Those whose node is not where it was any more, but where it was to be. */
  async function movedAmong(named: readonly Named[], { from, to }: Move): Promise<Named[]> {
    const moved: Named[] = []
    for (const one of named) if ((await nodeAt(from, one)) === null && (await nodeAt(to, one)) !== null) moved.push(one)
    return moved
  }

  async function ended(operation: Operation, started: Operation, { isPartial }: { isPartial: boolean }): Promise<void> {
    const [known, target] = [begun.get(started), targetOf(operation)]
    if (known === undefined || target === null) return
    try {
      const move = { from: known.from, to: await resolvedPathOf(systemDrive, operation, target) }
      await follow(isPartial ? await movedAmong(known.free, move) : known.free, move, operation.user)
    } catch (error) {
      // Its folder has gone meanwhile: the operation that took it away is followed.
      if (!isAppError(error, 'not-found')) throw error
    }
  }

  const observer: Observer = {
    async before(operation) {
      const [from, target] = [await sourceOf(operation), targetOf(operation)]
      const named = from === null ? [] : await namedBelow(from)
      if (from === null || target === null || named.length === 0) return
      // A folder above it that is still to be made has nothing in it.
      const to = await nullOn('not-found', resolveParent(systemDrive, inStorage(operation.access, target)))
      begun.set(operation, { from, free: await freeAmong(named, { from, to }) })
    },
    after: (operation, started) => ended(operation, started, { isPartial: false }),
    onError: (operation, started) => ended(operation, started, { isPartial: true }),
  }

  /** After a crash: unless something else has the old path by now. */
  async function recovered(from: FilePath, to: FilePath): Promise<void> {
    if (from !== to && !(await exists(systemDrive, from))) await follow(await namedBelow(from), { from, to }, null)
  }

  return {
    observer,
    /** What moves do, for those that a server that died did not finish. */
    moveFollower: {
      async moved({ path, origin, isMerged }: { path: FilePath; origin: FilePath; isMerged: boolean }): Promise<void> {
        if (!isMerged) await recovered(origin, path)
      },
    },
    trashFollower: {
      found: ({ path: origin }: { path: FilePath }, path: FilePath): Promise<void> => recovered(origin, path),
      purged: async (): Promise<void> => undefined,
    },
  }
}

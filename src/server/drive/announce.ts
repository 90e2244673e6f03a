import type { FilePath } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import type { Viewer } from '../access/viewer.ts'
import type { DeedOptions, Drive } from './drive.ts'

/** Who did it: through a link its owner; null for the house. */
export type Actor = { readonly id: number; readonly name: string } | null

export function actorOf({ userId, username }: Pick<Viewer, 'userId' | 'username'>): Actor {
  return { id: userId, name: username }
}

interface Done {
  readonly user: Actor
  /** With this `inStorage` turns the deed's paths, which are the user's own, into everybody's. */
  readonly access: Access
}

/** What was, or is about to be, done to files. A made folder is an upload. */
export type Deed = Done &
  (
    | { readonly kind: 'upload'; readonly path: FilePath; readonly folder: boolean }
    | { readonly kind: 'save'; readonly path: FilePath }
    | { readonly kind: 'copy'; readonly from: FilePath; readonly to: FilePath }
    | { readonly kind: 'rename'; readonly from: FilePath; readonly to: FilePath }
    | { readonly kind: 'delete'; readonly path: FilePath }
  )

export type Fresh = () => Promise<string | null>

export interface Observer {
  /**
   * When all is checked and nothing is changed; a failure stops the deed and is its answer.
   * @param fresh tells the identity of what is going to be at the deed's path; null where that is not known beforehand
   */
  before?(deed: Deed, fresh: Fresh): void | Promise<void>
  /** When it is done, and only then; a failure is no longer the deed's. `begun` is the very object that `before` was told of. */
  after?(deed: Deed, begun: Deed): void | Promise<void>
  /** When it was begun and did not end well: a part of it may be done. A failure here goes the way of those after a deed. */
  broken?(deed: Deed, begun: Deed): void | Promise<void>
}

export interface Announcing {
  readonly user: Actor
  /** Asked before in this order, told after in this order. */
  readonly observers: readonly Observer[]
  /** Gets what an observer failed with after the deed; must not fail itself. */
  readonly onFailure: (error: unknown, deed: Deed) => void
}

/** Adds observers to a Drive that nobody else uses yet. @returns the same Drive: a copy would cost every request for a small file */
export function announce(drive: Drive, { user, observers, onFailure }: Announcing): Drive {
  const { copy, makeFolder, move, put, remove, save, strict } = drive
  const done: Done = { user, access: drive.access }

  /** Runs a deed that says when it is ready; one that never was had nothing to do, and nobody is told. */
  async function observed<T>(
    options: DeedOptions | undefined,
    deedAt: (path: FilePath) => Deed,
    act: (options: DeedOptions) => Promise<T>,
    { finalDeed = (_, deed) => deed, fresh = async () => null }: { finalDeed?: (result: T, deed: Deed) => Deed; fresh?: Fresh } = {},
  ): Promise<T> {
    const begun: Deed[] = []
    const ready = async (path: FilePath): Promise<void> => {
      await options?.ready?.(path)
      const deed = deedAt(path)
      for (const observer of observers) await observer.before?.(deed, fresh)
      begun.push(deed)
    }
    try {
      const result = await act({ ready })
      for (const deed of begun) await tell('after', finalDeed(result, deed), deed)
      return result
    } catch (error) {
      for (const deed of begun) await tell('broken', deed, deed)
      throw error
    }
  }

  async function tell(what: 'after' | 'broken', deed: Deed, begun: Deed): Promise<void> {
    for (const observer of observers) {
      try {
        await observer[what]?.(deed, begun)
      } catch (error) {
        onFailure(error, deed)
      }
    }
  }

  function transfer(kind: 'copy' | 'rename', act: Drive['copy']): Drive['copy'] {
    return (from, to, options) =>
      observed(
        options,
        (path) => ({ ...done, kind, from, to: path }),
        (ready) => act(from, to, { ...options, ...ready }),
        { finalDeed: (path) => ({ ...done, kind, from, to: path }) },
      )
  }

  const observing: Partial<Drive> = {
    makeFolder: (path, options) =>
      observed(
        options,
        () => ({ ...done, kind: 'upload', path, folder: true }),
        (ready) => makeFolder(path, ready),
      ),
    put: (path, staged, options) =>
      observed(
        options,
        () => ({ ...done, kind: 'upload', path, folder: false }),
        (ready) => put(path, staged, { ...options, ...ready }),
        { fresh: () => staged.identity() },
      ),
    save: (path, staged, options) =>
      observed(
        options,
        () => ({ ...done, kind: 'save', path }),
        (ready) => save(path, staged, { ...options, ...ready }),
        { fresh: () => staged.identity() },
      ),
    remove: (path, options) =>
      observed(
        options,
        () => ({ ...done, kind: 'delete', path }),
        (ready) => remove(path, { ...options, ...ready }),
      ),
    strict: () => announce(strict(), { user, observers, onFailure }),
    copy: transfer('copy', copy),
    move: transfer('rename', move),
  }
  return Object.assign(drive, observing)
}

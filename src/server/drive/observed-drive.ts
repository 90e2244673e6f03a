import type { FilePath } from '../../shared/file-path.ts'
import type { Drive } from './drive.ts'
import type { Actor, Operation, OperationOptions } from './operation.ts'

/** The identity of the node that an operation will publish; null if it is not known in advance. */
export type NewIdentity = () => Promise<string | null>

export interface Observer {
  /** Called when an upload is announced, before its bytes are received. If it fails, the announcement fails with the same error. */
  expect?(operation: Operation): void | Promise<void>
  /** Called after all checks and before the first change. If it fails, the operation fails with the same error. */
  before?(operation: Operation, newIdentity: NewIdentity): void | Promise<void>
  /** Called after the operation succeeded; an error no longer affects it. `started` is the object that `before` received. */
  after?(operation: Operation, started: Operation): void | Promise<void>
  /** Called if the operation failed after `before`: parts of it may be done. Errors are treated as those of `after`. */
  onError?(operation: Operation, started: Operation): void | Promise<void>
}

export interface ObserverOptions {
  readonly user: Actor
  /** Called in this order, before and after. */
  readonly observers: readonly Observer[]
  /** Receives the errors of `after` and `onError`; must not fail itself. */
  readonly onObserverError: (error: unknown, operation: Operation) => void
}

/** Adds observers to a Drive that nobody else uses yet. @returns the same Drive: a copy would cost every request for a small file */
export function observedDrive(drive: Drive, { user, observers, onObserverError }: ObserverOptions): Drive {
  const { bringBack, copy, expect, history, makeFolder, move, put, putBack, remove, restore, restoreVersion, save, strict } = drive
  const common = { user, access: drive.access }

  /** Runs an operation that calls `ready` before its first change; if it has nothing to do, no observer is called. */
  async function observed<T>(
    options: OperationOptions | undefined,
    operationAt: (path: FilePath) => Operation,
    run: (options: OperationOptions) => Promise<T>,
    {
      finalOperation = (_, operation) => operation,
      newIdentity = async () => null,
    }: { finalOperation?: (result: T, operation: Operation) => Operation; newIdentity?: NewIdentity } = {},
  ): Promise<T> {
    const started: Operation[] = []
    const ready = async (path: FilePath): Promise<void> => {
      await options?.ready?.(path)
      const operation = operationAt(path)
      for (const observer of observers) await observer.before?.(operation, newIdentity)
      started.push(operation)
    }
    try {
      const result = await run({ ready })
      for (const operation of started) await notify('after', finalOperation(result, operation), operation)
      return result
    } catch (error) {
      for (const operation of started) await notify('onError', operation, operation)
      throw error
    }
  }

  async function notify(event: 'after' | 'onError', operation: Operation, started: Operation): Promise<void> {
    for (const observer of observers) {
      try {
        await observer[event]?.(operation, started)
      } catch (error) {
        onObserverError(error, operation)
      }
    }
  }

  function transfer(kind: 'copy' | 'rename', run: Drive['copy']): Drive['copy'] {
    return (from, to, options) => {
      const later: (() => void)[] = []
      return observed(
        options,
        (path) => ({ ...common, kind, from, to: path }),
        (ready) => run(from, to, { ...options, ...ready, settleLater: (settle) => void later.push(settle) }),
        { finalOperation: (path) => ({ ...common, kind, from, to: path }) },
      ).finally(() => {
        for (const settle of later) settle()
      })
    }
  }

  const observing: Partial<Drive> = {
    async expect(path, options) {
      await expect(path, options)
      for (const observer of observers) await observer.expect?.({ ...common, kind: 'upload', path, folder: false })
    },
    makeFolder: (path, options) =>
      observed(
        options,
        () => ({ ...common, kind: 'upload', path, folder: true }),
        (ready) => makeFolder(path, ready),
      ),
    put: (path, staged, options) =>
      observed(
        options,
        () => ({ ...common, kind: 'upload', path, folder: false }),
        (ready) => put(path, staged, { ...options, ...ready }),
        { newIdentity: () => staged.identity() },
      ),
    save: (path, staged, options) =>
      observed(
        options,
        () => ({ ...common, kind: 'save', path }),
        (ready) => save(path, staged, { ...options, ...ready }),
        { newIdentity: () => staged.identity() },
      ),
    remove: (path, options) =>
      observed(
        options,
        () => ({ ...common, kind: 'delete', path, trashed: null }),
        (ready) => remove(path, { ...options, ...ready }),
        { finalOperation: (trashed) => ({ ...common, kind: 'delete', path, trashed: trashed?.id ?? null }) },
      ),
    restore: (node, to, options) =>
      observed(
        options,
        (path) => ({ ...common, kind: 'restore', path, node }),
        (ready) => restore(node, to, { ...options, ...ready }),
        { finalOperation: (path) => ({ ...common, kind: 'restore', path, node }) },
      ),
    restoreVersion: (path, id, options) =>
      observed(
        options,
        () => ({ ...common, kind: 'save', path }),
        (ready) => restoreVersion(path, id, { ...options, ...ready }),
        { newIdentity: async () => (await history(path)).versions.find((version) => version.id === id)?.identity ?? null },
      ),
    putBack(path, content, options) {
      let identity: string | null = null
      return observed(
        options,
        () => ({ ...common, kind: 'save', path }),
        (ready) => putBack(path, content, { ...ready, onVersion: (found) => void (identity = found) }),
        { newIdentity: async () => identity },
      )
    },
    bringBack: (version, to, options) =>
      observed(
        options,
        () => ({ ...common, kind: 'upload', path: to, folder: options.folder }),
        (ready) => bringBack(version, to, { ...options, ...ready }),
      ),
    strict: () => observedDrive(strict(), { user, observers, onObserverError }),
    copy: transfer('copy', copy),
    move: transfer('rename', move),
  }
  return Object.assign(drive, observing)
}

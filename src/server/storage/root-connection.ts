import { closeSync, readlinkSync } from 'node:fs'
import { fail } from '../../shared/errors.ts'
import { bytesToName } from '../../shared/file-path.ts'
import { descriptorPath } from './proc-paths.ts'
import { createThreadExecutor } from './thread-executor.ts'
import type { Storage } from './storage.ts'
import { type Top, topCalls } from './top-calls.ts'

export interface ConnectionOptions {
  /** The folder on this machine, which may be missing. */
  readonly path: string
  readonly open: (top: { readonly fd: number }) => Storage
  /** The mark of the folder that belongs to this root; null before its first use. */
  readonly known: string | null
  /** Called at the first use. @returns the mark that counts, because another server may have been first */
  readonly remember: (mark: string) => Promise<string>
  /** Whether a marker may be written into the folder. */
  readonly mayMark: boolean
  /** @param fd of the open folder; null if it is away */
  readonly onChange?: (state: 'away' | 'connected', fd: number | null) => void
}

/** A folder that was found and recognised. */
export interface Connected {
  readonly storage: Storage
  readonly top: Top
  /** Calls that use the open folder. */
  uses: number
  isOver: boolean
}

export type RootConnection = ReturnType<typeof createRootConnection>

/** The folder is looked for, or checked, at most this often, and only when somebody uses it. */
const CHECK_MS = 1000
/** How long a call waits for that while the folder was there a moment ago. */
const PATIENCE_MS = 100
/** The same if it was away, or was never there. */
const OPENING_MS = 5000
/** A folder that is away is closed when nothing has used it for this long: its number means another file afterwards. */
const CLOSE_MS = 10_000
const RETRY_SECONDS = 10

/**
 * The folder of a root whose disk may be disconnected and come back. It is opened once, recognised by its mark, and then used through its descriptor: when
 * the disk has gone, nothing reaches the folder that has the path then, such as the bare mount point. Threads do all of this, because the disk may
 * hang.
 */
export function createRootConnection({ path, open, known, remember, mayMark, onChange = () => undefined }: ConnectionOptions) {
  const executor = createThreadExecutor()
  let mark = known
  let current: Connected | null = null
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<void> | null = null
  let isStopped = false

  const isDue = (): boolean => performance.now() - checkedAt >= CHECK_MS

  function check(): Promise<void> {
    checking ??= look().finally(() => {
      checkedAt = performance.now()
      checking = null
    })
    return checking
  }

  async function look(): Promise<void> {
    if (current !== null) {
      if ((await executor.run('identityOfTop', path)) === current.top.identity || isStopped) return
      disconnect()
    }
    const top = await executor.run('openTop', path, { make: mark === null && mayMark })
    if (top === null || isStopped) return
    try {
      mark ??= await remember(top.mark)
    } catch (error) {
      closeSync(top.fd)
      throw error
    }
    if (top.mark !== mark) return closeSync(top.fd)
    current = { storage: open(top), top, uses: 0, isOver: false }
    onChange('connected', top.fd)
  }

  function disconnect(): void {
    if (current === null) return
    current.isOver = true
    closeSoon(current)
    current = null
    onChange('away', null)
  }

  function closeSoon(connected: Connected): void {
    if (!connected.isOver || connected.uses > 0) return
    const timer = setTimeout(() => void (connected.uses === 0 && closeSync(connected.top.fd)), CLOSE_MS)
    timer.unref()
  }

  /** The folder, or `storage-busy` if it is away. */
  async function find(): Promise<Connected> {
    if (isDue()) {
      const checked = check()
      checked.catch(() => undefined)
      await Promise.race([checked, Bun.sleep(current === null ? OPENING_MS : PATIENCE_MS)])
    } else if (current === null && checking !== null) await Promise.race([checking, Bun.sleep(OPENING_MS)])
    return current ?? away()
  }

  return {
    isAway: (): boolean => current === null,
    /** Looks now, if the last look is older than a second. */
    refresh: async (): Promise<boolean> => (await find().catch(() => null)) !== null,
    /** The storage of the folder if it is open, without looking. */
    now(): Connected | null {
      if (isDue()) check().catch(() => undefined)
      return current
    },
    /** The path by which programs find the folder. Fails with `storage-busy` if it is away, or that path is another folder at this moment. */
    place(): string {
      const top = current?.top ?? away()
      const found = topCalls.identityOfTop(path) === top.identity
      return found ? bytesToName(readlinkSync(descriptorPath(top.fd), { encoding: 'buffer' })) : away()
    },
    /** Runs something with the storage of the folder, which stays open until it has ended. */
    async use<T>(work: (connected: Connected) => Promise<T>): Promise<T> {
      const one = await find()
      one.uses++
      try {
        return await work(one)
      } finally {
        one.uses--
        closeSoon(one)
      }
    },
    stop(): void {
      isStopped = true
      disconnect()
    },
  }
}

export function away(): never {
  return fail('storage-busy', { retryAfterSeconds: RETRY_SECONDS, away: true })
}

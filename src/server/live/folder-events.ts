import { isAppError } from '../../shared/errors.ts'
import { type FilePath, isWithin, parentOf } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import type { Bus } from '../bus/bus.ts'
import type { Drive } from '../drive/drive.ts'

/** An event for somebody who watches a folder. `heartbeat` only keeps the connection alive. */
export type FolderEvent =
  | { readonly kind: 'ready'; readonly modified: number }
  | { readonly kind: 'changed' }
  /** What others share with the viewer may have changed. */
  | { readonly kind: 'shared' }
  | { readonly kind: 'heartbeat' }

export interface Pace {
  /** How long to wait for the end of a burst of changes, in milliseconds. */
  readonly debounceMs: number
  readonly minIntervalMs: number
  /** How often everything is checked again: who watches, what they may see, where the folder is. */
  readonly heartbeatMs: number
  readonly pollMs: number
}

export const PACE: Pace = { debounceMs: 100, minIntervalMs: 500, heartbeatMs: 20_000, pollMs: 3000 }

export interface FolderEventsDeps {
  /** The viewer's Drive. Fails with `sign-in-needed` once the viewer is signed out. */
  readonly drive: Drive
  readonly bus: Bus
  /** Calls back when the viewer's access may have changed. @returns a function that unsubscribes */
  readonly onAccessChange: (listener: () => void) => () => void
  /** Calls back when what others share with the viewer may have changed. @returns a function that unsubscribes */
  readonly onShared?: (listener: () => void) => () => void
  readonly signal: AbortSignal
  readonly pace?: Pace
}

/**
 * Yields an event when a folder may look different, whoever changed it. Fails with `not-found` if there is no such folder at the start; ends when it
 * has gone, when the viewer is signed out, and when `signal` is aborted.
 */
export async function* folderEvents(
  path: FilePath,
  { drive, bus, onAccessChange, onShared = () => () => undefined, signal, pace = PACE }: FolderEventsDeps,
): AsyncGenerator<FolderEvent, void> {
  const notifier = createNotifier(signal)
  let watch: Awaited<ReturnType<Drive['watch']>> = null
  let storagePath: FilePath | null = null
  let shown: Shown | null = null

  /** @returns the visible part of the folder; null if the viewer is signed out */
  async function look(): Promise<Shown | null> {
    try {
      await drive.renew()
      return await lookToday()
    } catch (error) {
      if (isAppError(error, 'sign-in-needed')) return null
      throw error
    }
  }

  async function lookToday(): Promise<Shown> {
    const former = watch
    storagePath = await drive.place(path, 'follow')
    concerns = await changeFilter(drive, path, storagePath)
    // Watched before it is read, and before the former watch ends, so that no change is missed.
    watch = await drive.watch(path, notifier.notify)
    former?.close()
    return shownIn(drive, path, isNotified ? null : shown)
  }

  let isShared = false
  let isNotified = false
  let concerns: ChangeFilter = () => false
  const stopListening = [
    bus.on('files.changed', ({ storagePaths }) => void (storagePaths.some((one) => concerns(one)) && notifier.notify())),
    // On a change of access, everything is checked again at once.
    onAccessChange(notifier.wake),
    onShared(() => {
      isShared = true
      notifier.wake()
    }),
  ]
  try {
    shown = await look()
    if (shown === null) return
    yield { kind: 'ready', modified: shown.modified }
    let heartbeatAt = Date.now() + pace.heartbeatMs
    for (;;) {
      const untilHeartbeat = heartbeatAt - Date.now()
      const notified = await notifier.wait(watch === null ? Math.min(untilHeartbeat, pace.pollMs) : untilHeartbeat)
      if (notified) await Bun.sleep(pace.debounceMs)
      if (signal.aborted) return
      notifier.clear()
      const before = shown
      isNotified = notified
      shown = await look()
      if (shown === null) return
      if (isShared) {
        isShared = false
        yield { kind: 'shared' }
      }
      // Rules may have changed since the notification, which may be about a name that was hidden: what is visible is compared then.
      const changed = (notified && shown.entries === null) || differs(before, shown)
      if (!changed && Date.now() < heartbeatAt) continue
      yield { kind: changed ? 'changed' : 'heartbeat' }
      heartbeatAt = Date.now() + pace.heartbeatMs
      if (changed) await Bun.sleep(pace.minIntervalMs)
    }
  } catch (error) {
    // For a viewer who saw it, its removal or a changed scope is a change as well, and that its disk is not connected any more.
    const isAway = isAppError(error, 'storage-busy') && error.detail.away === true
    if (shown === null || !(isAway || isAppError(error, 'not-found') || isAppError(error, 'access-changed'))) throw error
    yield { kind: 'changed' }
  } finally {
    for (const stop of stopListening) stop()
    closeLast(watch)
  }
}

/** The compiler does not track assignments in closures, but it does track parameters. */
function closeLast(watch: Awaited<ReturnType<Drive['watch']>>): void {
  watch?.close()
}

interface Shown {
  readonly modified: number
  readonly access: Access
  /** A checksum of its visible entries; null if all are visible, because the folder's own mtime then reports every change. */
  readonly entries: bigint | null
}

/** A folder's mtime also reveals changes of hidden names; in that case its visible entries are compared, but only if the mtime changed. */
async function shownIn(drive: Drive, path: FilePath, before: Shown | null): Promise<Shown> {
  const { modified } = (await drive.stat(path)).stat
  const { access } = drive
  if (access.rules.empty) return { modified, access, entries: null }
  if (before?.modified === modified && before.access === access) return before
  const { names, sizes, modified: times } = await drive.list(path)
  let entries = BigInt(names.length)
  for (const row of names.keys()) entries ^= Bun.hash(`${names.at(row)}\0${sizes[row]}\0${times[row]}`)
  return { modified, access, entries }
}

function differs(before: Shown, now: Shown): boolean {
  return before.entries !== now.entries || (now.entries === null && before.modified !== now.modified)
}

/** Whether a change at a storage path concerns the watched folder. */
type ChangeFilter = (changed: FilePath) => boolean

/** True for the folder itself and above it, and for entries that the viewer may see. */
async function changeFilter(drive: Drive, path: FilePath, here: FilePath): Promise<ChangeFilter> {
  const { shows } = await drive.subtree(path)
  return (changed) => isWithin(here, changed) || (parentOf(changed) === here && shows(changed))
}

/** Keeps at most one notification until it is cleared. */
function createNotifier(signal: AbortSignal) {
  let isNotified = false
  let isWoken = false
  let wake = (): void => undefined
  signal.addEventListener('abort', () => wake())
  return {
    notify(): void {
      isNotified = true
      wake()
    },
    /** Ends the wait without a notification. */
    wake(): void {
      isWoken = true
      wake()
    },
    clear(): void {
      isNotified = false
    },
    /** Waits for a notification, for `signal`, or for `ms`. @returns whether there was a notification */
    async wait(ms: number): Promise<boolean> {
      if (isNotified || isWoken || signal.aborted) {
        isWoken = false
        return isNotified
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, Math.max(0, ms))
      wake = resolve
      await promise
      clearTimeout(timer)
      isWoken = false
      return isNotified
    },
  }
}

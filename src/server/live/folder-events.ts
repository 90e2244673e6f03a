import { isAppError } from '../../shared/errors.ts'
import { type FilePath, isWithin, parentOf } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import type { Bus } from '../bus/bus.ts'
import type { Drive } from '../drive/drive.ts'

/** What is told of a folder that somebody looks at. `beat` says nothing but that the line is alive. */
export type FolderEvent = { readonly kind: 'ready'; readonly modified: number } | { readonly kind: 'changed' } | { readonly kind: 'beat' }

export interface Pace {
  /** A burst of changes is one: how long to wait for its end, in milliseconds. */
  readonly debounceMs: number
  /** Between two tellings, at least. */
  readonly minIntervalMs: number
  /** Everything is asked anew so often: who looks, what they may see, where the folder is. */
  readonly heartbeatMs: number
  /** How often to look where nobody tells of changes. */
  readonly pollMs: number
}

export const PACE: Pace = { debounceMs: 100, minIntervalMs: 500, heartbeatMs: 20_000, pollMs: 3000 }

export interface FolderEventsDeps {
  /** As of now; null when who looks is no longer signed in. */
  readonly drive: () => Promise<Drive | null>
  readonly bus: Bus
  /** Calls back when what they may see may have changed. @returns a function that ends it */
  readonly onAccessChange: (listener: () => void) => () => void
  readonly signal: AbortSignal
  readonly pace?: Pace
}

/**
 * Tells that a folder may look different now, whoever changed it. Fails with `not-found` where there is no such folder at the start; ends when it is
 * gone, when nobody is signed in any more, and when told to.
 */
export async function* folderEvents(
  path: FilePath,
  { drive: driveNow, bus, onAccessChange, signal, pace = PACE }: FolderEventsDeps,
): AsyncGenerator<FolderEvent, void> {
  const notifier = createNotifier(signal)
  let watch: Awaited<ReturnType<Drive['watch']>> = null
  let storagePath: FilePath | null = null
  let shown: Shown | null = null

  /** Finds and watches the folder as it is today. @returns what of it is shown; null where nobody is signed in any more */
  async function look(): Promise<Shown | null> {
    const drive = await driveNow()
    if (drive === null) return null
    const former = watch
    storagePath = await drive.place(path, 'follow')
    concerns = await changeFilter(drive, path, storagePath)
    // Watched before it is looked at, and before the former watch ends: nothing falls in between.
    watch = await drive.watch(path, notifier.notify)
    former?.close()
    return shownIn(drive, path, shown)
  }

  let concerns: ChangeFilter = () => false
  const stopListening = [
    bus.on('files.changed', ({ storagePaths }) => void (storagePaths.some((one) => concerns(one)) && notifier.notify())),
    // Who looks, and what they may see, is asked anew at once.
    onAccessChange(notifier.wake),
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
      shown = await look()
      if (shown === null) return
      const changed = notified || differs(before, shown)
      if (!changed && Date.now() < heartbeatAt) continue
      yield { kind: changed ? 'changed' : 'beat' }
      heartbeatAt = Date.now() + pace.heartbeatMs
      if (changed) await Bun.sleep(pace.minIntervalMs)
    }
  } catch (error) {
    // That it is gone is news too, to whoever saw it.
    if (shown === null || !isAppError(error, 'not-found')) throw error
    yield { kind: 'changed' }
  } finally {
    for (const stop of stopListening) stop()
    closeLast(watch)
  }
}

/** What a closure has set is unknown to the compiler; a parameter is not. */
function closeLast(watch: Awaited<ReturnType<Drive['watch']>>): void {
  watch?.close()
}

/** What a folder looked like to its viewer. */
interface Shown {
  readonly modified: number
  readonly access: Access
  /** A sum of its visible entries; null where all are visible, and the folder's own time tells of each that comes or goes. */
  readonly entries: bigint | null
}

/** A folder's time tells also of names that this viewer must not know of: then its visible entries are looked at, but only if the time is another. */
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

/** Whether word of a change at a place of the storage is for who looks at a folder. */
type ChangeFilter = (changed: FilePath) => boolean

/** A change of the folder itself or above it is; one of an entry, where they may see the entry. */
async function changeFilter(drive: Drive, path: FilePath, here: FilePath): Promise<ChangeFilter> {
  const { shows } = await drive.subtree(path)
  return (changed) => isWithin(here, changed) || (parentOf(changed) === here && shows(changed))
}

/** Rings once however often it is rung, until it is cleared. */
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
    /** Ends the wait without ringing. */
    wake(): void {
      isWoken = true
      wake()
    },
    clear(): void {
      isNotified = false
    },
    /** Until it rings, `signal` is aborted, or `ms` have passed. @returns whether it has been rung */
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

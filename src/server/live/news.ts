import { isAppError } from '../../shared/errors.ts'
import { type FilePath, isWithin, parentOf } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import type { Bus } from '../bus/bus.ts'
import type { Drive } from '../drive/drive.ts'

/** What is told of a folder that somebody looks at. `beat` says nothing but that the line is alive. */
export type News = { readonly kind: 'ready'; readonly modified: number } | { readonly kind: 'changed' } | { readonly kind: 'beat' }

export interface Pace {
  /** A burst of changes is one: how long to wait for its end, in milliseconds. */
  readonly gatherMs: number
  /** Between two tellings, at least. */
  readonly apartMs: number
  /** Everything is asked anew so often: who looks, what they may see, where the folder is. */
  readonly beatMs: number
  /** How often to look where nobody tells of changes. */
  readonly lookMs: number
}

export const PACE: Pace = { gatherMs: 100, apartMs: 500, beatMs: 20_000, lookMs: 3000 }

export interface NewsDeps {
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
export async function* newsOf(
  path: FilePath,
  { drive: driveNow, bus, onAccessChange, signal, pace = PACE }: NewsDeps,
): AsyncGenerator<News, void> {
  const bell = createBell(signal)
  let watch: Awaited<ReturnType<Drive['watch']>> = null
  let place: FilePath | null = null
  let shown: Shown | null = null

  /** Finds and watches the folder as it is today. @returns what of it is shown; null where nobody is signed in any more */
  async function look(): Promise<Shown | null> {
    const drive = await driveNow()
    if (drive === null) return null
    const former = watch
    place = await drive.place(path, 'follow')
    tells = await tellerFor(drive, path, place)
    // Watched before it is looked at, and before the former watch ends: nothing falls in between.
    watch = await drive.watch(path, bell.ring)
    former?.close()
    return shownIn(drive, path, shown)
  }

  let tells: Teller = () => false
  const stopListening = [
    bus.on('files.changed', ({ places }) => void (places.some((one) => tells(one)) && bell.ring())),
    // Who looks, and what they may see, is asked anew at once.
    onAccessChange(bell.wake),
  ]
  try {
    shown = await look()
    if (shown === null) return
    yield { kind: 'ready', modified: shown.modified }
    let beatAt = Date.now() + pace.beatMs
    for (;;) {
      const untilBeat = beatAt - Date.now()
      const rung = await bell.wait(watch === null ? Math.min(untilBeat, pace.lookMs) : untilBeat)
      if (rung) await Bun.sleep(pace.gatherMs)
      if (signal.aborted) return
      bell.clear()
      const before = shown
      shown = await look()
      if (shown === null) return
      const changed = rung || differs(before, shown)
      if (!changed && Date.now() < beatAt) continue
      yield { kind: changed ? 'changed' : 'beat' }
      beatAt = Date.now() + pace.beatMs
      if (changed) await Bun.sleep(pace.apartMs)
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
type Teller = (changed: FilePath) => boolean

/** A change of the folder itself or above it is; one of an entry, where they may see the entry. */
async function tellerFor(drive: Drive, path: FilePath, here: FilePath): Promise<Teller> {
  const { shows } = await drive.outlook(path)
  return (changed) => isWithin(here, changed) || (parentOf(changed) === here && shows(changed))
}

/** Rings once however often it is rung, until it is cleared. */
function createBell(signal: AbortSignal) {
  let isRung = false
  let isWoken = false
  let wake = (): void => undefined
  signal.addEventListener('abort', () => wake())
  return {
    ring(): void {
      isRung = true
      wake()
    },
    /** Ends the wait without ringing. */
    wake(): void {
      isWoken = true
      wake()
    },
    clear(): void {
      isRung = false
    },
    /** Until it rings, `signal` is aborted, or `ms` have passed. @returns whether it has been rung */
    async wait(ms: number): Promise<boolean> {
      if (isRung || isWoken || signal.aborted) {
        isWoken = false
        return isRung
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, Math.max(0, ms))
      wake = resolve
      await promise
      clearTimeout(timer)
      isWoken = false
      return isRung
    },
  }
}

import { isAppError } from '../../shared/errors.ts'
import { type FilePath, isWithin, parentOf } from '../../shared/file-path.ts'
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
  readonly signal: AbortSignal
  readonly pace?: Pace
}

/**
 * Tells that a folder may look different now, whoever changed it. Fails with `not-found` where there is no such folder at the start; ends when it is
 * gone, when nobody is signed in any more, and when told to.
 */
export async function* newsOf(path: FilePath, { drive: driveNow, bus, signal, pace = PACE }: NewsDeps): AsyncGenerator<News, void> {
  const bell = createBell(signal)
  let watch: Awaited<ReturnType<Drive['watch']>> = null
  let place: FilePath | null = null

  /** Finds and watches the folder as it is today. @returns when it was modified; null where nobody is signed in any more */
  async function look(): Promise<number | null> {
    const drive = await driveNow()
    if (drive === null) return null
    const former = watch
    place = await drive.place(path, 'follow')
    // Watched before it is looked at, and before the former watch ends: nothing falls in between.
    watch = await drive.watch(path, bell.ring)
    former?.close()
    return (await drive.stat(path)).stat.modified
  }

  const stopListening = bus.on('files.changed', ({ places }) => {
    const here = place
    if (here !== null && places.some((one) => parentOf(one) === here || isWithin(here, one))) bell.ring()
  })
  let modified: number | null = null
  try {
    modified = await look()
    if (modified === null) return
    yield { kind: 'ready', modified }
    let beatAt = Date.now() + pace.beatMs
    for (;;) {
      const untilBeat = beatAt - Date.now()
      const rung = await bell.wait(watch === null ? Math.min(untilBeat, pace.lookMs) : untilBeat)
      if (rung) await Bun.sleep(pace.gatherMs)
      if (signal.aborted) return
      bell.clear()
      const before = modified
      modified = await look()
      if (modified === null) return
      const changed = rung || modified !== before
      if (!changed && Date.now() < beatAt) continue
      yield { kind: changed ? 'changed' : 'beat' }
      beatAt = Date.now() + pace.beatMs
      if (changed) await Bun.sleep(pace.apartMs)
    }
  } catch (error) {
    // That it is gone is news too, to whoever saw it.
    if (modified === null || !isAppError(error, 'not-found')) throw error
    yield { kind: 'changed' }
  } finally {
    stopListening()
    closeLast(watch)
  }
}

/** What a closure has set is unknown to the compiler; a parameter is not. */
function closeLast(watch: Awaited<ReturnType<Drive['watch']>>): void {
  watch?.close()
}

/** Rings once however often it is rung, until it is cleared. */
function createBell(signal: AbortSignal) {
  let isRung = false
  let wake = (): void => undefined
  signal.addEventListener('abort', () => wake())
  return {
    ring(): void {
      isRung = true
      wake()
    },
    clear(): void {
      isRung = false
    },
    /** Until it rings, `signal` is aborted, or `ms` have passed. @returns whether it has been rung */
    async wait(ms: number): Promise<boolean> {
      if (isRung || signal.aborted) return isRung
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, Math.max(0, ms))
      wake = resolve
      await promise
      clearTimeout(timer)
      return isRung
    },
  }
}

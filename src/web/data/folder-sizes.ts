import { sizes, type Sums } from '../../shared/contract/sizes.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'

const client = clientFor({ sizes })

/** Total bytes of the folders in a folder, by name. */
export type FolderSizes = ReadonlyMap<string, number>

/** The index needs a moment after a change. */
const SOON_MS = 400
/** Poll interval: events of a folder do not cover changes deeper in the tree. */
const REST_MS = 10_000
/** While the index is not up to date. */
const UNKNOWN_MS = 2500
/** Slow requests are repeated less often. */
const SHARE_OF_TIME = 20

/** Totals of a folder from the index; null if it has none and the tree must be read. */
export async function indexedTotals(path: FilePath, signal: AbortSignal): Promise<Sums | null> {
  try {
    return (await client.sizes.folder({ params: { path }, query: {} }, { signal })).sums
  } catch (error) {
    signal.throwIfAborted()
    console.warn(error)
    return null
  }
}

/**
 * Reports the size of each folder in a folder, now and after changes, until `signal` is aborted. Never fails: unknown sizes are not reported and
 * the last ones remain. Hidden pages do not poll.
 * @returns `again`: call it when the folder has changed
 */
export function watchFolderSizes(
  path: FilePath,
  { signal, onSizes }: { signal: AbortSignal; onSizes: (sizes: FolderSizes) => void },
): { again: () => void } {
  let stale = false
  let wake: () => void = () => undefined
  let last: FolderSizes = new Map()

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      const begun = performance.now()
      let least = REST_MS
      stale = false
      if (document.visibilityState === 'visible') {
        const now = await readSizes(path, signal).catch(() => null)
        if (signal.aborted) return
        if (now === null) least = UNKNOWN_MS
        else if (!isSame(last, now)) onSizes((last = now))
      }
      await rest(stale ? SOON_MS : Math.max(least, (performance.now() - begun) * SHARE_OF_TIME))
    }
  }

  /** Can be woken early, but throttles bursts of changes. */
  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      let timer = setTimeout(end, ms)
      wake = () => {
        clearTimeout(timer)
        timer = setTimeout(end, SOON_MS)
        wake = () => undefined
      }
      const look = () => wake()
      signal.addEventListener('abort', end, { once: true })
      document.addEventListener('visibilitychange', look)
      function end(): void {
        clearTimeout(timer)
        document.removeEventListener('visibilitychange', look)
        signal.removeEventListener('abort', end)
        resolve()
      }
    })
  }

  void follow()
  return {
    again() {
      stale = true
      wake()
    },
  }
}

async function readSizes(path: FilePath, signal: AbortSignal): Promise<FolderSizes | null> {
  const { children } = await client.sizes.folder({ params: { path }, query: { children: 'true' } }, { signal })
  return children && new Map(children.names.map((name, at) => [name, children.bytes[at] ?? 0]))
}

function isSame(a: FolderSizes, b: FolderSizes): boolean {
  return a.size === b.size && [...a].every(([name, bytes]) => b.get(name) === bytes)
}

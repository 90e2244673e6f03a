import { sizes, type Sums } from '../../shared/contract/sizes.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'

const client = clientFor({ sizes })

/** Bytes below the folders of a folder, by name. */
export type FolderSizes = ReadonlyMap<string, number>

/** After a change the server needs a moment to know of it. */
const SOON_MS = 400
/** Things change deep down too, of which a folder's own news say nothing. */
const REST_MS = 10_000
/** While the server does not know: it is reading, or taking in what changed. */
const UNKNOWN_MS = 2500
/** What takes long to count is asked for less often. */
const SHARE_OF_TIME = 20

/** What lies in a folder, where the server knows it by heart; null where somebody has to count. */
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
 * Tells what lies in each folder of a folder, now and whenever that changed, until `signal` is aborted. Never fails: what cannot be known is not
 * told, and the former answer stays. A page out of sight does not ask.
 * @returns `again`: to be called when something changed in the folder
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

  /** Ends early when somebody wakes it, but lets a storm of changes pass. */
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

import type { QueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { Ready, live } from '../../shared/contract/live.ts'
import { isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'
import { resourceQuery } from './folders.ts'
import { linesOf } from './lines.ts'
import { WITH_ME_KEY } from './query.ts'
import { CURRENT_SHARE } from './share-context.ts'
import { refetchAllowed } from './refetch-gate.ts'

const client = clientFor({ live })

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 15_000
/** A folder that is slow to read is refetched less often. */
const SHARE_OF_TIME = 4
const LONGEST_REST_MS = 10_000
/** Errors that a retry can resolve. */
const RETRYABLE = new Set<string>(['offline', 'busy', 'too-many-requests', 'unexpected'])

/**
 * Keeps the listing of a folder up to date until `signal` is aborted. Never fails: a folder that cannot be watched is refetched on the next visit.
 */
export async function watchFolder(queries: QueryClient, path: FilePath, signal: AbortSignal): Promise<void> {
  const refresh = createRefresh(queries, path, signal)
  let wait = FIRST_WAIT_MS
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      const response = await client.live.folder({ params: { path, slash: true } }, { signal })
      for await (const event of eventsOf(response)) {
        if (event.name === 'shared') {
          void queries.invalidateQueries({ queryKey: WITH_ME_KEY })
          continue
        }
        // Anything may have changed while the connection was down, even if the folder's mtime is the same.
        if (event.name === 'ready' && isFirst && isKnown(queries, path, event.data)) continue
        wait = FIRST_WAIT_MS
        refresh()
      }
    } catch (error) {
      if (signal.aborted) return
      if (isAppError(error) && !RETRYABLE.has(error.code)) {
        // Within a share, the folder may be gone because the share is.
        if (CURRENT_SHARE !== null) void queries.invalidateQueries({ queryKey: WITH_ME_KEY })
        return
      }
    }
    await pause(wait, signal)
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
  }
}

function isKnown(queries: QueryClient, path: FilePath, data: string): boolean {
  const known = queries.getQueryData(resourceQuery(path).queryKey)
  return known?.kind === 'folder' && known.modified === Date.parse(z.parse(Ready, JSON.parse(data)).modified)
}

/** Refetches the folder, one request at a time; requests made meanwhile are merged into one. */
function createRefresh(queries: QueryClient, path: FilePath, signal: AbortSignal): () => void {
  let busy = false
  let again = false
  async function read(): Promise<void> {
    busy = true
    do {
      again = false
      await refetchAllowed()
      const begun = performance.now()
      await queries.invalidateQueries({ queryKey: resourceQuery(path).queryKey, exact: true })
      await pause(Math.min((performance.now() - begun) * SHARE_OF_TIME, LONGEST_REST_MS), signal)
    } while (again && !signal.aborted)
    busy = false
  }
  return () => {
    again = true
    if (!busy) void read()
  }
}

/** Parses server-sent events with a name and a single line of data (WHATWG HTML, "event stream"). */
async function* eventsOf(response: Response): AsyncGenerator<{ name: string; data: string }, void> {
  let name = ''
  let data = ''
  for await (const lines of linesOf(response)) {
    for (const line of lines) {
      if (line.startsWith('event: ')) name = line.slice('event: '.length)
      else if (line.startsWith('data: ')) data = line.slice('data: '.length)
      else if (line === '' && name !== '') {
        yield { name, data }
        name = ''
      }
    }
  }
}

/** Resolves early when `signal` is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
    function end(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
  })
}

import type { SearchCut } from '../../../shared/contract/search.ts'
import { fail, isAppError } from '../../../shared/errors.ts'
import { nameOf } from '../../../shared/file-path.ts'
import { CONTENT_SEARCH_BYTES, CONTENT_SEARCH_HITS, CONTENT_SEARCH_MS, MAX_SEARCHED_DOCUMENT_BYTES } from '../../../shared/limits.ts'
import type { Drive } from '../../drive/drive.ts'
import type { ListedEntry } from '../../drive/entry.ts'
import { type Finder, type Found, SEARCH_LIMITS, type SearchLimits } from '../finder.ts'
import { documentKind, type DocumentTexts } from './document-texts.ts'
import type { MatchRequest } from './match.ts'
import type { Match } from './match-thread.ts'
import { readTexts } from './read-texts.ts'
import { createBoundedQueue } from './bounded-queue.ts'
import { mayHoldText } from './text-in.ts'

/** Limits of one content search. */
export interface ContentLimits {
  readonly hits: number
  /** Bytes read from the disk. */
  readonly bytes: number
  readonly ms: number
  /** Maximum size of one PDF, office document or book. */
  readonly documentBytes: number
}

export const CONTENT_LIMITS: ContentLimits = {
  hits: CONTENT_SEARCH_HITS,
  bytes: CONTENT_SEARCH_BYTES,
  ms: CONTENT_SEARCH_MS,
  documentBytes: MAX_SEARCHED_DOCUMENT_BYTES,
}

/** Limits of the finder that selects the files to read. */
export const CANDIDATE_LIMITS: SearchLimits = { ...SEARCH_LIMITS, results: SEARCH_LIMITS.entries, ms: CONTENT_SEARCH_MS }

export interface ContentFinderDeps {
  /** Finds files that match the rest of the query. */
  readonly candidates: Finder
  readonly match: Match
  readonly documentTexts: DocumentTexts
  readonly limits?: ContentLimits
}

/** Candidates that wait to be read. */
const ROOM = 4096
const FILES_AT_ONCE = 64
/** One lane reads while the other matches. */
const LANES = 2

/**
 * Finds files by content, if the rest of the query matches as well: reads each candidate that may contain text, through the Drive. Fails with
 * `forbidden` without the right to download. Results are in the order in which they are found.
 */
export function createContentFinder({ candidates, match, documentTexts, limits = CONTENT_LIMITS }: ContentFinderDeps): Finder {
  return async function* find(drive, from, { query, signal, onRead = () => undefined }) {
    if (!drive.mayAnywhere('download')) fail('forbidden', { right: 'download' })
    const stop = new AbortController()
    const going = AbortSignal.any([signal, stop.signal])
    const texts = createBoundedQueue<Found>(going, { room: ROOM })
    const documents = createBoundedQueue<Found>(going, { room: ROOM })
    const hits = createBoundedQueue<Found>(signal, { room: Number.POSITIVE_INFINITY })
    const wanted = { words: query.contents, not: query.not.contents, sensitive: query.sensitive }
    let cut: SearchCut | null = null
    let [found, bytesLeft] = [0, limits.bytes]

    const end = (reason: SearchCut): void => {
      if (!stop.signal.aborted) cut = reason
      stop.abort()
    }
    const onLarge = (): void => void (cut ??= 'large')
    const onBytes = (bytes: number): void => {
      bytesLeft -= bytes
      if (bytesLeft >= 0) return
      end('bytes')
      going.throwIfAborted()
    }
    const tell = async (files: readonly Found[], ask: Omit<MatchRequest, 'wanted' | 'names'>): Promise<void> => {
      const answers = await match({ ...ask, names: files.map(({ path }) => nameOf(path)).join('\0'), wanted })
      for (const [index, file] of files.entries()) {
        const snippets = answers[index] ?? null
        if (snippets === null || stop.signal.aborted) continue
        if (++found > limits.hits) end('results')
        else await hits.put({ ...file, snippets })
      }
    }

    async function gather(): Promise<void> {
      const all = candidates(drive, from, { query, signal: going, wants: mayBeRead })
      for (;;) {
        const { value, done } = await all.next()
        if (done === true) {
          cut ??= value
          break
        }
        if (value.isFolder) continue
        await (documentKind(nameOf(value.path)) === null ? texts : documents).put(value)
      }
      texts.close()
      documents.close()
    }

    /** What cannot be read is skipped; a viewer who may no longer read anything gets an error. */
    const requireDownload = async (): Promise<void> => {
      await drive.renew()
      if (!drive.mayAnywhere('download')) fail('forbidden', { right: 'download' })
    }

    async function lookIntoTexts(): Promise<void> {
      for (let some = await texts.take(FILES_AT_ONCE); some.length > 0; some = await texts.take(FILES_AT_ONCE)) {
        await requireDownload()
        for await (const { files, ...read } of readTexts(drive, some, { signal: going, onBytes, onLarge }))
          await tell(files, { ...read, kind: 'files' })
        onRead(some.length)
      }
    }

    async function lookIntoDocuments(): Promise<void> {
      for (let [file] = await documents.take(1); file !== undefined; [file] = await documents.take(1)) {
        const kind = documentKind(nameOf(file.path))
        if (kind === null) continue
        await requireDownload()
        if (file.size > limits.documentBytes) {
          onLarge()
          continue
        }
        onBytes(file.size)
        const bytes = await textOf(drive, file, (open) => documentTexts(open, kind, going))
        if (bytes !== null) await tell([file], { bytes, sizes: Int32Array.of(bytes.length), kind })
        onRead(1)
      }
    }

    async function work(): Promise<void> {
      const timer = setTimeout(() => end('time'), limits.ms)
      try {
        const lanes = Array.from({ length: LANES }, () => [lookIntoTexts(), lookIntoDocuments()]).flat()
        await Promise.race([Promise.all([gather(), ...lanes]), failureOf(going)])
        await requireDownload()
      } catch (error) {
        const isOver = stop.signal.aborted
        stop.abort()
        if (!isOver) throw error
      } finally {
        clearTimeout(timer)
        hits.close()
      }
    }

    const working = work()
    // A failure is reported after the hits.
    working.catch(() => undefined)
    try {
      for (let some = await hits.take(ROOM); some.length > 0; some = await hits.take(ROOM)) yield* some
      await working
      return cut
    } finally {
      stop.abort()
    }
  }
}

function mayBeRead({ name, kind }: Pick<ListedEntry, 'name' | 'kind'>): boolean {
  return (kind === 'file' || kind === 'link') && (documentKind(name) !== null || mayHoldText(name))
}

/** Fails as soon as `signal` is aborted, without waiting for work in other threads. */
function failureOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

/** Null if it cannot be opened or contains no text. */
async function textOf(
  drive: Drive,
  { path }: Found,
  read: (open: Awaited<ReturnType<Drive['open']>>) => Promise<Uint8Array | null>,
): Promise<Uint8Array | null> {
  try {
    await using file = await drive.open(path)
    return await read(file)
  } catch (error) {
    return isAppError(error) ? null : Promise.reject(error)
  }
}

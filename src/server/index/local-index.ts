import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fail } from '../../shared/errors.ts'
import { type FilePath, parseFilePath, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import type { Bus } from '../bus/bus.ts'
import { threadProgram } from '../entries/entries.ts'
import { createThreads } from '../threads/threads.ts'
import type { LeftOut } from '../storage/snapshot-pattern.ts'
import type { FoundNode } from '../../shared/found-node.ts'
import { type IndexPace, PHASES, type Sum } from './index-service.ts'
import type { IndexRequest } from './index-worker.ts'
import type { IndexRows } from './row-query.ts'
import { kindName } from './tree.ts'
import type { Fingerprints, IndexedNode, TreeIndex } from './tree-index.ts'

export interface LocalIndexOptions {
  /** The served folder. */
  readonly root: string
  /** Where the tree is stored between runs; its folder is created. */
  readonly file: string
  readonly bus: Bus
  readonly log: (line: string) => void
  readonly leftOut?: LeftOut | null
  /** The folder's path in the tree, in which events on the bus are; that of the main root by default. */
  readonly top?: FilePath
  /** For tests. */
  readonly pace?: IndexPace
}

export interface LocalIndex extends TreeIndex {
  /** Resolves when everything that has happened until now is indexed. */
  settled(): Promise<void>
}

/** Large batches cross threads cheaply; the first results should come soon. */
const FIRST = 50
const MOST = 1000
/** The thread answers within milliseconds unless a disk that it reads keeps it waiting. Then others read the disk, and only what they ask for (R5). */
const PATIENCE_MS = 2000
/** How often what was found on the disk is passed on. */
const FOUND_MS = 2000
/** How long the last save may take. */
const STOP_MS = 10_000

/** An index of a local folder in its own thread, so that neither reading nor searching blocks anybody. Nothing waits for its start. */
export function createLocalIndex({ root, file, bus, log, leftOut = null, top = ROOT, pace }: LocalIndexOptions): LocalIndex {
  const thread = createThreads<unknown>(threadProgram('index-worker'), { idleMs: null })
  const progress = new Int32Array(new SharedArrayBuffer(12))
  let isOff = false
  /** Requests that nobody waits for any more. */
  let late = 0

  async function ask<T>(question: IndexRequest): Promise<T | null> {
    if (isOff) return null
    try {
      // The thread's program answers each request with its own type.
      return (await thread.ask(question)) as T | null
    } catch (error) {
      if (!isOff) log(`index: switched off until the next start: ${String(error)}`)
      isOff = true
      return null
    }
  }

  /** The same, but null if the answer is late. @param onLate called with an answer that comes nevertheless */
  async function askNow<T>(question: IndexRequest, onLate: (answer: T | null) => void = () => undefined): Promise<T | null> {
    if (late > 0) return null
    const answer = ask<T>(question)
    const timeout = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => timeout.resolve('late'), PATIENCE_MS)
    const first = await Promise.race([answer.then((value) => ({ value })), timeout.promise])
    clearTimeout(timer)
    if (first !== 'late') return first.value
    void lateAnswer(answer).then(onLate)
    return null
  }

  async function lateAnswer<T>(answer: Promise<T>): Promise<T> {
    late += 1
    try {
      return await answer
    } finally {
      late -= 1
    }
  }

  const cursorFor = (question: IndexRequest): Promise<number | null> =>
    askNow<number>(question, (cursor) => void (cursor !== null && ask({ about: 'close', cursor })))

  async function open(): Promise<void> {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    } catch (error) {
      // Without a saved tree it is read again at each start.
      log(`index: cannot be kept: ${String(error)}`)
    }
    const isOpen = await ask<boolean>({ about: 'open', options: { root, file, progress, leftOut, pace } })
    if (isOpen === false) log('index: not to be had on this system')
    isOff ||= isOpen !== true
  }

  async function* batches(
    cursor: number,
    signal: AbortSignal,
    enters: ((known: IndexedNode) => boolean | Promise<boolean>) | null,
  ): AsyncGenerator<readonly IndexedNode[]> {
    let enter: number[] = []
    try {
      for (let most = FIRST; ; most = MOST) {
        signal.throwIfAborted()
        const rows = await askNow<IndexRows | 'forgotten'>({ about: 'next', cursor, most, enter })
        signal.throwIfAborted()
        // Half a result must not look complete.
        if (rows === 'forgotten' || (rows === null && (isOff || late > 0))) fail('busy', {})
        if (rows === null) return
        const all = knownFrom(rows)
        enter = []
        if (enters !== null) {
          for (const [row, known] of all.entries()) {
            if (known.kind === 'folder' && (await enters(known))) enter.push(rows.folders[row] ?? 0)
          }
        }
        yield all
      }
    } finally {
      void ask({ about: 'close', cursor })
    }
  }

  /** Asks the thread only if there is something: it is left alone when it is idle. */
  async function passOnFound(): Promise<void> {
    if ((progress[2] ?? 0) === 0) return
    progress[2] = 0
    const changes = (await ask<FoundNode[]>({ about: 'found' })) ?? []
    if (changes.length > 0) bus.announce('files.found', { changes: changes.map((one) => ({ ...one, path: placeUnder(top, one.path) })) })
  }

  const opening = open()
  const passingOn = setInterval(() => void passOnFound(), FOUND_MS)
  passingOn.unref()
  const unwatched = bus.on('files.changed', ({ storagePaths }) => {
    const own = storagePaths.flatMap((path) => pathFrom(top, path) ?? [])
    if (own.length > 0) void ask({ about: 'changed', storagePaths: own })
  })

  return {
    state: () => ({ phase: isOff ? 'off' : (PHASES[progress[0] ?? 0] ?? 'off'), entries: isOff ? 0 : (progress[1] ?? 0) }),
    async find(folder, query, signal) {
      const cursor = await cursorFor({ about: 'find', folder, query })
      return cursor === null ? null : batches(cursor, signal, null)
    },
    async below(folder, { signal, enters = () => true }) {
      const cursor = await cursorFor({ about: 'below', folder })
      return cursor === null ? null : batches(cursor, signal, enters)
    },
    sums: (folder, counted) => askNow<Sum>({ about: 'sums', folder, counted }),
    async childSums(folder, counted) {
      const children = await askNow<{ rows: IndexRows; sums: Sum[] }>({ about: 'children', folder, counted })
      if (children === null) return null
      const { rows: told, sums } = children
      return knownFrom(told).map((known, row) => ({ known, sums: sums[row] ?? { files: 0, folders: 0, bytes: 0 } }))
    },
    fingerprints: (folder, { children }) => askNow<Fingerprints>({ about: 'fingerprints', folder, children }),
    async settled() {
      await ask({ about: 'settled' })
    },
    async stop() {
      unwatched()
      clearInterval(passingOn)
      // A disk that answers nothing does not keep the server from stopping.
      await Promise.race([opening.then(() => ask({ about: 'stop' })), Bun.sleep(STOP_MS)])
      isOff = true
      thread[Symbol.dispose]()
    },
  }
}

function knownFrom({ paths, kinds, sizes, modified }: IndexRows): IndexedNode[] {
  if (paths === '') return []
  return paths.split('\0').map((path, row) => ({
    path: parseFilePath(path),
    kind: kindName(kinds[row] ?? 0),
    size: sizes[row] ?? 0,
    modified: modified[row] ?? 0,
  }))
}

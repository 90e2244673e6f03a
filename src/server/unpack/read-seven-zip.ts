import { threadProgram } from '../entries/entries.ts'
import type { EntryHead, EntryKind } from './protocol.ts'
import { nothing, type RawEntries, refuse } from './raw-entry.ts'
import type { SevenZipMessage, SevenZipTask } from './seven-zip-worker.ts'
import type { Source } from './source.ts'

/** 7-Zip's names of formats. */
export type SevenZipType = '7z' | 'rar' | 'rar5' | 'zip' | 'xz' | 'bzip2'

/** Output only what is requested, in UTF-8. */
const QUIET = ['-bd', '-bsp0', '-sccUTF-8', '-y']
/** Printed when a password would be needed. */
const ASKS = 'Enter password'
const MOST_LISTING_BYTES = 512 * 1024 * 1024

/** The only content of a compressed file. */
export async function* sevenZipBytes(source: Source, type: SevenZipType): AsyncGenerator<Uint8Array, void> {
  yield* run(source, ['x', '-so', `-t${type}`, ...QUIET])
}

/** The listing of an archive, and then all contents in that order: they arrive as one stream, split by the listed sizes. */
export async function* readSevenZip(source: Source, type: SevenZipType): RawEntries {
  const entries = await listed(source, type)
  const contents = createCutter(run(source, ['x', '-so', `-t${type}`, ...QUIET]))
  try {
    for (const { head, length } of entries) {
      yield { head, bytes: () => (head.kind === 'file' ? contents.next(length) : nothing()) }
      await contents.pass(length)
    }
    await contents.finish()
  } finally {
    await contents.close()
  }
}

interface Listed {
  readonly head: EntryHead
  /** Length of its content. */
  readonly length: number
}

async function listed(source: Source, type: SevenZipType): Promise<Listed[]> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const piece of run(source, ['l', '-slt', '-ba', `-t${type}`, ...QUIET])) {
      bytes += piece.length
      if (bytes > MOST_LISTING_BYTES) refuse('damaged')
      pieces.push(piece)
    }
  } catch (error) {
    if (Buffer.concat(pieces).includes(ASKS)) refuse('encrypted')
    throw error
  }
  return recordsIn(Buffer.concat(pieces).toString()).map(entryFrom)
}

/** Blocks of `Key = value`, starting with the path. */
function recordsIn(text: string): Map<string, string>[] {
  const records: Map<string, string>[] = []
  for (const line of text.split('\n')) {
    const at = line.indexOf(' = ')
    const key = at === -1 ? '' : line.slice(0, at)
    if (key === 'Path') records.push(new Map())
    const record = records.at(-1)
    if (key !== '' && record?.has(key) === false) record.set(key, line.slice(at + 3))
  }
  return records
}

function entryFrom(record: Map<string, string>): Listed {
  if (record.get('Encrypted') === '+') refuse('encrypted')
  const size = record.get('Size') ?? ''
  const kind = kindOf(record)
  if (kind !== 'folder' && !/^\d+$/.test(size)) refuse('damaged')
  const length = kind === 'folder' ? 0 : Number(size)
  const time = Date.parse(`${(record.get('Modified') ?? '').replace(' ', 'T').slice(0, 23)}Z`)
  const modified = Number.isNaN(time) ? null : time
  return { length, head: { name: (record.get('Path') ?? '').replaceAll('\\', '/'), kind, size: kind === 'file' ? length : 0, modified } }
}

/** Windows attributes, then POSIX ones: `D drwxr-xr-x`. */
function kindOf(record: Map<string, string>): EntryKind {
  const [windows = '', posix = ''] = (record.get('Attributes') ?? '').split(' ')
  if (record.get('Folder') === '+' || windows.includes('D') || posix.startsWith('d')) return 'folder'
  const links = ['Symbolic Link', 'Hard Link', 'Copy Link'].some((key) => (record.get(key) ?? '') !== '')
  if (links || posix.startsWith('l')) return 'link'
  return posix === '' || posix.startsWith('-') ? 'file' : 'special'
}

function createCutter(bytes: AsyncGenerator<Uint8Array, void>) {
  let rest: Uint8Array = new Uint8Array(0)
  let taken = 0

  async function* next(length: number): AsyncGenerator<Uint8Array, void> {
    while (taken < length) {
      if (rest.length === 0) {
        const { value, done } = await bytes.next()
        rest = done === true ? refuse('damaged') : value
      }
      const piece = rest.subarray(0, length - taken)
      taken += piece.length
      rest = rest.subarray(piece.length)
      yield piece
    }
  }

  return {
    /** The next bytes of that length, once. */
    next,
    /** Skips to the end of the piece of that length, whether or not `next` has started it. */
    async pass(length: number): Promise<void> {
      for await (const _ of next(length)) void _
      taken = 0
    },
    /** Fails if the whole failed: a checksum of the last piece, or bytes that were not listed. */
    async finish(): Promise<void> {
      const { done } = await bytes.next()
      if (rest.length > 0 || done !== true) refuse('damaged')
    },
    async close(): Promise<void> {
      await bytes.return()
    },
  }
}

/** The output of a run of 7-Zip; fails if it failed. */
async function* run(source: Source, args: readonly string[]): AsyncGenerator<Uint8Array, void> {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(threadProgram('seven-zip-worker'))
  const messages: SevenZipMessage[] = []
  let wake = (): void => undefined
  let fell = false
  worker.onmessage = ({ data }: MessageEvent<SevenZipMessage>) => {
    messages.push(data)
    wake()
  }
  worker.onerror = () => {
    fell = true
    wake()
  }
  worker.postMessage({ path: source.path, args, gate } satisfies SevenZipTask)
  const before = source.progress.read
  try {
    for (;;) {
      const message = messages.shift()
      if (message === undefined) {
        if (fell) refuse('damaged')
        await new Promise<void>((resolve) => (wake = resolve))
        continue
      }
      if ('code' in message) return message.code === 0 ? undefined : refuse('damaged')
      source.progress.read = before + message.read
      yield message.bytes
      Atomics.store(gate, 0, 0)
      Atomics.notify(gate, 0)
    }
  } finally {
    worker.terminate()
  }
}

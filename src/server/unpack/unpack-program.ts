import { headBytes, readFrames } from '../programs/frames.ts'
import { runProgram, createOutput, limitOwnMemory } from '../programs/run-program.ts'
import type { Message, Order } from './protocol.ts'
import { ProblemError, type RawEntry } from './raw-entry.ts'
import { readArchive } from './read-archive.ts'
import { openSource, type Source } from './source.ts'

/** Dictionaries of the largest settings of 7z and xz need most of it. */
const MAX_MEMORY_BYTES = 1.5 * 1024 ** 3
const SENT_BYTES = 128 * 1024
const MOST_NAME_CHARS = 8192

/** The program that reads archives: it writes nothing to disk and only returns names and bytes. A crash affects nothing else. */
async function main(): Promise<void> {
  limitOwnMemory({ maxMemoryBytes: MAX_MEMORY_BYTES })
  // Some formats store local times without a time zone.
  process.env['TZ'] = 'UTC'
  const out = createBuffer()
  try {
    // Written by our own server, at the other end of the pipe.
    const order = (await readFrames(Bun.stdin.stream()).head()) as Order
    const source = openSource(Bun.argv[2] ?? '')
    await writeEntries(source, order, out)
    out.message({ over: true })
  } catch (error) {
    out.message({ problem: error instanceof ProblemError ? error.problem : 'damaged' })
  }
  await out.flush()
}

async function writeEntries(source: Source, order: Order, out: Output): Promise<void> {
  let index = 0
  for await (const entry of readArchive(source)) {
    const wanted = order.what === 'read' && (order.only === null || order.only === index)
    out.message({ entry: { ...entry.head, name: entry.head.name.slice(0, MOST_NAME_CHARS) } })
    if (wanted) await writeBytes(source, entry, out)
    await out.flushLong()
    if (order.what === 'read' && order.only === index) return
    index++
  }
}

async function writeBytes({ progress }: Source, { bytes }: RawEntry, out: Output): Promise<void> {
  for await (const chunk of bytes()) {
    if (chunk.length === 0) continue
    out.message({ chunk: chunk.length, read: progress.read })
    out.bytes(chunk)
    await out.flushLong()
  }
  out.message({ end: true })
}

interface Output {
  message(message: Message): void
  bytes(bytes: Uint8Array): void
  /** Flushes when there is enough to be worth a write. */
  flushLong(): Promise<void>
  flush(): Promise<void>
}

function createBuffer(): Output {
  const write = createOutput()
  let waiting: Uint8Array[] = []
  let length = 0
  const add = (bytes: Uint8Array): void => {
    waiting.push(bytes)
    length += bytes.length
  }
  const output: Output = {
    message: (message) => add(headBytes(message)),
    bytes: add,
    async flushLong() {
      if (length >= SENT_BYTES) await output.flush()
    },
    async flush() {
      const joined = Buffer.concat(waiting)
      waiting = []
      length = 0
      await write(joined)
    },
  }
  return output
}

runProgram(main)

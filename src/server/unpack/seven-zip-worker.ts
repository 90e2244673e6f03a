import { fstatSync, openSync, readSync } from 'node:fs'
import SevenZip, { type FSStream } from '7z-wasm'

/** One run of 7-Zip in its own thread, because it never yields; it waits until each piece was taken. */
export interface SevenZipTask {
  readonly path: string
  readonly args: readonly string[]
  /** Shared: 1 while a piece was sent and not yet taken. */
  readonly gate: Int32Array
}

export type SevenZipMessage =
  /** `read`: bytes of the archive read so far. */
  { readonly bytes: Uint8Array; readonly read: number } | { readonly code: number }

declare const self: { onmessage: (event: MessageEvent<SevenZipTask>) => void; postMessage(message: SevenZipMessage): void }

/** Parts of its file system that can be replaced, missing in its types. */
interface Operations {
  stream_ops: Record<string, unknown>
}

const ARCHIVE = '/archive'
const STDOUT = 1
/** End of input; the types know characters only. */
const END = null as unknown as number
const SENT_BYTES = 128 * 1024

self.onmessage = ({ data }) => void run(data).then((message) => self.postMessage(message))

async function run({ path, args, gate }: SevenZipTask): Promise<SevenZipMessage> {
  const seven = await SevenZip({ printErr: () => undefined, print: () => undefined, stdin: () => END })
  const descriptor = openSync(path, 'r')
  const { size } = fstatSync(descriptor)
  let read = 0
  let waiting: Uint8Array[] = []
  let length = 0

  function send(): void {
    if (length === 0) return
    Atomics.store(gate, 0, 1)
    self.postMessage({ bytes: Buffer.concat(waiting), read })
    waiting = []
    length = 0
    Atomics.wait(gate, 0, 1)
  }

  const file = seven.FS.open(ARCHIVE, 'w')
  seven.FS.close(file)
  const node = seven.FS.lookupPath(ARCHIVE).node as unknown as Operations
  Object.defineProperty(node, 'usedBytes', { get: () => size })
  node.stream_ops = {
    ...node.stream_ops,
    read(_: FSStream, buffer: Uint8Array, offset: number, wanted: number, position: number): number {
      const got = readSync(descriptor, buffer, offset, Math.max(0, Math.min(wanted, size - position)), position)
      read += got
      return got
    },
  }
  const out = (seven.FS as unknown as { getStream(descriptor: number): Operations }).getStream(STDOUT)
  out.stream_ops = {
    ...out.stream_ops,
    write(_: FSStream, buffer: Uint8Array, offset: number, count: number): number {
      waiting.push(Uint8Array.from(buffer.subarray(offset, offset + count)))
      length += count
      if (length >= SENT_BYTES) send()
      return count
    },
  }
  const code = call(() => seven.callMain([...args, ARCHIVE]))
  send()
  return { code }
}

/** It throws a number if a type is unsupported or memory runs out. */
function call(main: () => unknown): number {
  try {
    return Number(main())
  } catch {
    return 255
  }
}

import { answerRequests } from '../threads/threads.ts'
import { compressBySevenZip } from './seven-zip.ts'

/** Runs in its own thread, because it would block the event loop. */
export interface CompressTask {
  readonly kind: 'bz2' | 'sz' | 'xz'
  readonly bytes: Uint8Array
}

const COMPRESS = {
  bz2: (bytes) => compressBySevenZip('bzip2', bytes),
  xz: (bytes) => compressBySevenZip('xz', bytes),
  sz,
} satisfies Record<CompressTask['kind'], (bytes: Uint8Array) => Promise<Uint8Array>>

answerRequests(async ({ kind, bytes }: CompressTask) => ({ answer: await COMPRESS[kind](bytes), transfer: [] }))

/** The Snappy framing format; parts can be concatenated, each with its own stream identifier. */
async function sz(bytes: Uint8Array): Promise<Uint8Array> {
  const { Compressor } = await import('snappy')
  const encoder = new Compressor()
  const parts = [encoder.update(bytes), await encoder.finish()]
  // An empty part is detached and cannot be copied.
  return Buffer.concat(parts.filter(({ byteLength }) => byteLength > 0))
}

// oxlint-disable-next-line typescript/triple-slash-reference -- the projects of tests reach this file by imports only
/// <reference path="./libbzip2-wasm.d.ts" />
import { Compressor } from 'snappy'
import libbzip2 from 'libbzip2-wasm'
import { answerAsks } from '../threads/threads.ts'
import { xz } from './xz.ts'

/** Runs in its own thread, because it would block the event loop. */
export interface CompressTask {
  readonly kind: 'bz2' | 'sz' | 'xz'
  readonly bytes: Uint8Array
}

type Compress = ReturnType<typeof libbzip2>['compressBZ2']

/** The module is a thenable that resolves to itself endlessly, so only its function is passed on. */
const bzip2 = new Promise<{ compress: Compress }>((resolve) => {
  libbzip2().then((module) => resolve({ compress: module.compressBZ2 }))
})

const COMPRESS = { bz2, sz, xz } satisfies Record<CompressTask['kind'], (bytes: Uint8Array) => Promise<Uint8Array>>

answerAsks(async ({ kind, bytes }: CompressTask) => ({ answer: await COMPRESS[kind](bytes), transfer: [] }))

async function bz2(bytes: Uint8Array): Promise<Uint8Array> {
  const { compress } = await bzip2
  const result = compress(bytes, 9, 0)
  try {
    if (result.error !== 0) throw new Error(`bzip2: ${result.errorMsg}`)
    return result.output.slice()
  } finally {
    result.delete()
  }
}

/** The Snappy framing format; parts can be concatenated, each with its own stream identifier. */
async function sz(bytes: Uint8Array): Promise<Uint8Array> {
  const encoder = new Compressor()
  const parts = [encoder.update(bytes), await encoder.finish()]
  // An empty part is detached and cannot be copied.
  return Buffer.concat(parts.filter(({ byteLength }) => byteLength > 0))
}

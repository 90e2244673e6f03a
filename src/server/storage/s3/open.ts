import { fail } from '../../../shared/errors.ts'
import type { OpenFile, Stat } from '../storage.ts'
import type { S3Client } from './client.ts'
import { isFailure, S3Silence, withS3Errors } from './failures.ts'
import type { S3Object } from './objects.ts'
import type { S3Limits } from './options.ts'

interface Reading {
  readonly client: S3Client
  readonly limits: S3Limits
}

/** Fails with `busy` if the object is another one by now: its old content is gone. */
export async function openRange({ client }: Reading, { key, etag }: S3Object, start: number, end: number): Promise<Response> {
  try {
    const headers = { range: `bytes=${start}-${end - 1}`, 'if-match': `"${etag}"` }
    return await client.open({ method: 'GET', key, headers })
  } catch (error) {
    return isFailure(error, 412) ? fail('busy', {}, { cause: error }) : Promise.reject(error)
  }
}

/** An object as an open file: each read is a request for a range of the version that was opened. */
export function openObject(reading: Reading, object: S3Object, stat: Stat): OpenFile {
  const close = async (): Promise<void> => undefined
  const upTo = (end: number): number => Math.min(end, object.size)
  return {
    stat,
    descriptor: null,
    stream: (start, end) => streamOf(reading, object, start, upTo(end)),
    readNow: () => null,
    async peek(start, length) {
      const end = upTo(start + length)
      if (start >= end) return new Uint8Array(0)
      return await new Response(streamOf(reading, object, start, end)).bytes()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Bytes in memory as an open file without a name. */
export function openBytes(bytes: Uint8Array<ArrayBuffer>): OpenFile {
  const close = async (): Promise<void> => undefined
  const stat: Stat = { kind: 'file', size: bytes.length, modified: 0, mode: 0o100640, identity: '' }
  return {
    stat,
    descriptor: null,
    stream: (start, end) => new Blob([bytes.subarray(start, end)]).stream(),
    readNow: () => null,
    peek: async (start, length) => bytes.slice(start, start + length),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The bytes of a range, on demand. A connection that ends early, or says nothing for too long, is replaced by one for the rest. */
function streamOf(reading: Reading, object: S3Object, start: number, end: number): ReadableStream<Uint8Array> {
  const { attempts, timeoutMs } = reading.limits
  let at = start
  let failures = 0
  let reader: Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'> | null = null

  async function drop(reason?: unknown): Promise<void> {
    await reader?.cancel(reason).catch(() => undefined)
    reader = null
  }

  async function next(): Promise<Uint8Array> {
    reader ??= (await withS3Errors('', () => openRange(reading, object, at, end))).body?.getReader() ?? null
    const { promise, reject } = Promise.withResolvers<never>()
    const time = setTimeout(() => reject(new Error('too slow')), timeoutMs)
    try {
      const chunk = await Promise.race([reader?.read(), promise])
      if (chunk?.value === undefined) throw new Error('ended early')
      return chunk.value
    } finally {
      clearTimeout(time)
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (at >= end) return controller.close()
        for (;;) {
          const isOpen = reader !== null
          try {
            const bytes = (await next()).subarray(0, end - at)
            at += bytes.length
            failures = 0
            controller.enqueue(bytes)
            if (at >= end) {
              await drop()
              controller.close()
            }
            return
          } catch (error) {
            // Without a connection there is a reason of the service; `openRange` has tried often enough.
            if (!isOpen && reader === null) throw error
            await drop(error)
            if (++failures >= attempts) await withS3Errors('', () => Promise.reject(new S3Silence('GET', error)))
          }
        }
      },
      cancel: drop,
    },
    { highWaterMark: 0 },
  )
}

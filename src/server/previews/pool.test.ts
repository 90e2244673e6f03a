import { describe, expect, it } from 'bun:test'
import type { Running } from '../sandbox/sandbox.ts'
import { headBytes } from '../programs/frames.ts'
import type { RenderRequest } from './picture.ts'
import { createPool } from './pool.ts'

const ORDER: RenderRequest = { size: 'thumb', decoder: 'sharp', orientation: null, length: 3, crop: 'middle' }
const bytes = () => new Blob(['abc']).stream()
const anybody = () => ({ signal: new AbortController().signal })

describe('the pool', () => {
  it('starts a process on demand, and reuses it', async () => {
    const { pool, started } = poolOf(() => Buffer.concat([headBytes({ type: 'image/jpeg', length: 2 }), Buffer.from('ok')]))
    expect(started()).toBe(0)
    for (let i = 0; i < 3; i++)
      expect(await pool.render(ORDER, bytes, anybody())).toEqual({ type: 'image/jpeg', bytes: new Uint8Array(Buffer.from('ok')) })
    expect(started()).toBe(1)
    pool.end()
  })

  it('starts a new process after one that crashed, sent invalid output or got the wrong number of bytes', async () => {
    const answers = [
      () => null,
      () => headBytes({ type: 'text/html', length: 9 }),
      () => headBytes({ type: 'image/jpeg', length: 1e12 }),
      () => headBytes({ failure: 'too-large' }),
    ]
    const { pool, started } = poolOf(() => answers.shift()?.() ?? null)
    for (let i = 0; i < 3; i++) expect(await pool.render(ORDER, bytes, anybody())).toBe('crashed')
    expect(await pool.render(ORDER, bytes, anybody())).toBe('too-large')
    expect(started()).toBe(4)
    expect(await pool.render({ ...ORDER, length: 4 }, bytes, anybody())).toBe('crashed')
    expect(await pool.render({ ...ORDER, length: 2 }, bytes, anybody())).toBe('crashed')
    pool.end()
  })
})

/** Processes that answer what they are told to when an order's bytes are there; null falls. */
function poolOf(answer: () => Uint8Array | null) {
  let count = 0
  const start = async (): Promise<Running> => {
    count++
    const out = new TransformStream<Uint8Array, Uint8Array>()
    const writer = out.writable.getWriter()
    const ended = Promise.withResolvers<{ ended: 'exited'; exitCode: number }>()
    const fall = (): void => {
      ended.resolve({ ended: 'exited', exitCode: 1 })
      void writer.close().catch(() => undefined)
    }
    return {
      async write(chunk) {
        // The bytes of the order follow its head.
        if (Buffer.from(chunk).toString() !== 'abc') return
        const said = answer()
        if (said === null) fall()
        else void writer.write(said).catch(() => undefined)
      },
      endInput: () => undefined,
      stdout: out.readable,
      stderr: new Blob([]).stream(),
      ended: ended.promise,
      kill: fall,
    }
  }
  return { pool: createPool({ start, size: 1 }), started: () => count }
}

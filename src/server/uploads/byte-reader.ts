import { fail } from '../../shared/errors.ts'

/** Reads a stream of bytes in pieces of any length. */
export interface ByteReader extends AsyncDisposable {
  /** Exactly this many bytes. `invalid-input` if there are fewer. */
  take(length: number): Promise<Uint8Array>
  /** Everything before the next `byte`, which is consumed as well. `too-large` beyond the limit, in bytes. */
  until(byte: number, options: { limit: number }): Promise<Uint8Array>
}

/** @param options.stallMs a sender without a byte for this long counts as gone */
export function openByteReader(
  stream: ReadableStream<Uint8Array> | null,
  { signal, stallMs }: { signal: AbortSignal; stallMs: number },
): ByteReader {
  const reader = stream?.getReader()
  let rest: Uint8Array = new Uint8Array()
  const stop = (): void => void reader?.cancel(signal.reason).catch(() => undefined)
  signal.addEventListener('abort', stop)

  async function more(): Promise<void> {
    signal.throwIfAborted()
    const stalled = setTimeout(() => void reader?.cancel().catch(() => undefined), stallMs)
    try {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      signal.throwIfAborted()
      if (done) fail('invalid-input', { issues: ['body: shorter than announced'] })
      rest = rest.length === 0 ? value : joined(rest, value)
    } finally {
      clearTimeout(stalled)
    }
  }

  function cut(length: number): Uint8Array {
    const piece = rest.subarray(0, length)
    rest = rest.subarray(length)
    return piece
  }

  return {
    async take(length) {
      while (rest.length < length) await more()
      return cut(length)
    },
    async until(byte, { limit }) {
      for (let seen = 0; ;) {
        const at = rest.indexOf(byte, seen)
        if ((at < 0 ? rest.length : at) > limit) fail('too-large', { limit })
        if (at >= 0) {
          const piece = cut(at)
          cut(1)
          return piece
        }
        seen = rest.length
        await more()
      }
    },
    async [Symbol.asyncDispose]() {
      signal.removeEventListener('abort', stop)
      await reader?.cancel().catch(() => undefined)
    },
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

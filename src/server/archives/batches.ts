/**
 * Joins small chunks and passes large ones on: each chunk has a fixed cost on its way through the stream. Values that are not chunks pass through.
 */
export async function* inBatches<Other = never>(
  chunks: AsyncIterable<Uint8Array | Other>,
  atLeast: number,
): AsyncGenerator<Uint8Array | Other, void> {
  let waiting: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    if (chunk instanceof Uint8Array) {
      waiting.push(chunk)
      bytes += chunk.length
      if (bytes < atLeast) continue
    }
    if (bytes > 0) yield joined(waiting)
    waiting = []
    bytes = 0
    if (!(chunk instanceof Uint8Array)) yield chunk
  }
  if (bytes > 0) yield joined(waiting)
}

/** The same bytes in blocks of one length; the last may be shorter. There is at least one. */
export async function* inBlocks(chunks: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array, void> {
  let waiting: Uint8Array[] = []
  let bytes = 0
  let any = false
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length;) {
      const part = chunk.subarray(from, from + length - bytes)
      waiting.push(part)
      bytes += part.length
      from += part.length
      if (bytes < length) continue
      yield joined(waiting)
      any = true
      waiting = []
      bytes = 0
    }
  }
  if (bytes > 0 || !any) yield joined(waiting)
}

/** Processes blocks in parallel, at most `parallel` at once; results keep the order of the blocks. */
export async function* mapParallel(
  blocks: AsyncIterable<Uint8Array>,
  work: (block: Uint8Array) => Promise<Uint8Array>,
  parallel: number,
): AsyncGenerator<Uint8Array, void> {
  const running: Promise<Uint8Array>[] = []
  try {
    for await (const block of blocks) {
      const result = work(block)
      // A failure is reported when the result is awaited in order.
      result.catch(() => undefined)
      running.push(result)
      if (running.length > parallel) yield (await running.shift()) ?? NOTHING
    }
    for (const result of running.splice(0)) yield await result
  } finally {
    await Promise.allSettled(running)
  }
}

const NOTHING = new Uint8Array(0)

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks)
}

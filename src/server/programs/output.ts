/** Writes to the one who started this program; resolves when the bytes are on their way. */
export type Write = (bytes: Uint8Array) => Promise<void>

/** A pipe takes what it has room for: `Bun.write` loses the rest of what is longer, the sink waits (measured with Bun 1.4). */
export function createOutput(): Write {
  const sink = Bun.stdout.writer()
  return async (bytes) => {
    await sink.write(bytes)
    await sink.flush()
  }
}

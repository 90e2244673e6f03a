/** Writes to the process that started this program; resolves when the bytes are in the pipe. */
export type Write = (bytes: Uint8Array) => Promise<void>

/** A pipe takes only what it has room for: `Bun.write` loses the rest, the sink waits (measured with Bun 1.4). */
export function createOutput(): Write {
  const sink = Bun.stdout.writer()
  return async (bytes) => {
    await sink.write(bytes)
    await sink.flush()
  }
}

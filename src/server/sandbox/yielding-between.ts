import { setImmediate as turn } from 'node:timers/promises'

/** Yields to the event loop after each piece of a program's output, so that endless output does not block others. */
export async function* yieldingBetween(output: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const piece of output) {
    yield piece
    await turn()
  }
}

import { setImmediate as turn } from 'node:timers/promises'

/** What a program says, with a turn for everybody else after each piece: who says without end is not all that this server hears. */
export async function* yieldingBetween(said: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const piece of said) {
    yield piece
    await turn()
  }
}

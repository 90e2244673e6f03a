import { refuse } from './raw-entry.ts'

/** Reads bytes in pieces of any length; an end in the middle of one is `damaged`. */
export type Pull = ReturnType<typeof createPull>

export function createPull(bytes: AsyncIterable<Uint8Array>) {
  const source = bytes[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array(0)

  async function some(most: number): Promise<Uint8Array | null> {
    while (rest.length === 0) {
      const { value, done } = await source.next()
      if (done === true) return null
      rest = value
    }
    const piece = rest.subarray(0, most)
    rest = rest.subarray(piece.length)
    return piece
  }

  async function takeOrEnd(length: number): Promise<Uint8Array | null> {
    const out = new Uint8Array(length)
    for (let got = 0; got < length;) {
      const piece = await some(length - got)
      if (piece === null) return got === 0 ? null : refuse('damaged')
      out.set(piece, got)
      got += piece.length
    }
    return out
  }

  async function number32OrEnd(): Promise<number | null> {
    const four = await takeOrEnd(4)
    return four && Buffer.from(four).readUInt32LE()
  }

  return {
    take: async (length: number): Promise<Uint8Array> => (await takeOrEnd(length)) ?? refuse('damaged'),
    async skip(length: number): Promise<void> {
      for (let left = length; left > 0;) left -= (await some(left))?.length ?? refuse('damaged')
    },
    /** Little endian. */
    number32: async (): Promise<number> => (await number32OrEnd()) ?? refuse('damaged'),
    /** Null if the bytes end before. */
    number32OrEnd,
  }
}

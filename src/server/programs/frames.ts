/** Messages over a pipe: the length of a JSON head in four bytes (big endian), the head, and as many bytes as the head says. Heads are short. */
const MAX_HEAD_BYTES = 64 * 1024

export function headBytes(head: object): Uint8Array {
  const json = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  return Buffer.concat([length, json])
}

export type FrameReader = ReturnType<typeof readFrames>

export function readFrames(stream: AsyncIterable<Uint8Array>) {
  const reader = stream[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array(0)

  async function take(length: number): Promise<Uint8Array<ArrayBuffer> | null> {
    const bytes = new Uint8Array(length)
    for (let got = 0; got < length;) {
      if (rest.length === 0) {
        const { value, done } = await reader.next()
        if (done === true) return got === 0 ? null : fail()
        rest = value
      }
      const piece = rest.subarray(0, length - got)
      bytes.set(piece, got)
      got += piece.length
      rest = rest.subarray(piece.length)
    }
    return bytes
  }

  return {
    /** Null at the end. Fails on an invalid head. */
    async head(): Promise<unknown> {
      const prefix = await take(4)
      if (prefix === null) return null
      const length = Buffer.from(prefix).readUInt32BE()
      if (length > MAX_HEAD_BYTES) fail()
      const json = (await take(length)) ?? fail()
      return JSON.parse(Buffer.from(json).toString()) as unknown
    },
    /** Exactly this many bytes; fails if the pipe ends before. */
    body: async (length: number): Promise<Uint8Array<ArrayBuffer>> => (await take(length)) ?? (length === 0 ? new Uint8Array(0) : fail()),
  }
}

function fail(): never {
  throw new Error('the pipe ended in the middle, or says what it should not')
}

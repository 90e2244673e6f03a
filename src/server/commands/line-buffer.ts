/** Joins pieces of output into lines, separately for each stream. */
export interface LineBuffer {
  take(from: string, text: string): Promise<void>
  /** Emits the last line of a stream if it has no line end. */
  finish(from: string): Promise<void>
}

/** A line without end is split here, so that memory stays limited. */
const LONGEST_CHARS = 16_384

export function createLineBuffer(send: (line: string) => Promise<void>): LineBuffer {
  const partial = new Map<string, string>()
  return {
    async take(from, text) {
      const parts = ((partial.get(from) ?? '') + text).split('\n')
      let rest = parts.pop() ?? ''
      for (const line of parts) await send(line.replace(/\r$/, ''))
      for (; rest.length > LONGEST_CHARS; rest = rest.slice(LONGEST_CHARS)) await send(rest.slice(0, LONGEST_CHARS))
      partial.set(from, rest)
    },
    async finish(from) {
      const rest = partial.get(from) ?? ''
      partial.delete(from)
      if (rest !== '') await send(rest)
    },
  }
}

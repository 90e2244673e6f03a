/** Incremental parser for a JSON array of flat objects. @returns a function that takes the next chunk and returns the completed objects */
export function createJsonObjectParser(): (piece: string) => unknown[] {
  let rest = ''
  let at = 0
  let start = -1
  let inText = false
  return (piece) => {
    rest += piece
    const objects: unknown[] = []
    for (; at < rest.length; at++) {
      const char = rest[at]
      if (inText) {
        // The escaped character may be in the next chunk.
        if (char === '\\') at++
        else if (char === '"') inText = false
      } else if (char === '"') inText = true
      else if (char === '{') start = at
      else if (char === '}') {
        objects.push(JSON.parse(rest.slice(start, at + 1)))
        start = -1
      }
    }
    const keep = start < 0 ? Math.min(at, rest.length) : start
    rest = rest.slice(keep)
    at -= keep
    if (start >= 0) start = 0
    return objects
  }
}

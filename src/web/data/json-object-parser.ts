/**
 * Takes a JSON array of flat objects in whatever pieces it comes, and gives each object as soon as it is whole.
 * @returns to be fed with the pieces, in order
 */
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
        // The next character is the escape's, and may not have come yet.
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

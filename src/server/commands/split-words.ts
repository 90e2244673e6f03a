/**
 * Splits a command line into words by the quoting rules of the POSIX shell, without variables, patterns and operators (`;` and `|` are plain
 * characters). Null if a quote is not closed or a backslash ends the line.
 */
export function splitWords(line: string): string[] | null {
  const words: string[] = []
  let word: string | null = null
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at)
    if (/\s/.test(char)) {
      if (word !== null) words.push(word)
      word = null
    } else if (char === "'") {
      const end = line.indexOf("'", at + 1)
      if (end < 0) return null
      word = (word ?? '') + line.slice(at + 1, end)
      at = end
    } else if (char === '"') {
      const quoted = readDoubleQuoted(line, at + 1)
      if (quoted === null) return null
      word = (word ?? '') + quoted.text
      at = quoted.end
    } else if (char === '\\') {
      if (at + 1 === line.length) return null
      word = (word ?? '') + line.charAt(++at)
    } else {
      word = (word ?? '') + char
    }
  }
  if (word !== null) words.push(word)
  return words
}

/** In double quotes, a backslash escapes only special characters. */
function readDoubleQuoted(line: string, start: number): { text: string; end: number } | null {
  let text = ''
  for (let at = start; at < line.length; at++) {
    const char = line.charAt(at)
    if (char === '"') return { text, end: at }
    if (char === '\\' && '"\\$`'.includes(line.charAt(at + 1)) && at + 1 < line.length) text += line.charAt(++at)
    else text += char
  }
  return null
}

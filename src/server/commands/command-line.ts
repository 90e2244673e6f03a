import { splitWords } from './split-words.ts'

/** Environment variables of a command: paths as it sees them. */
export type Variables = Readonly<Record<string, string>>

/**
 * The arguments of a command line. Without a shell, the line is split into words, in which `$NAME` and `${NAME}` are replaced; the value stays within
 * its word. Words that may be program text, such as that of `sh -c`, and whole lines for a shell are not replaced: there names come from the
 * environment only, so that no name is ever run as a command (GHSA-jvpw-637p-h3pw). Null for an invalid line.
 */
export function argvOf(line: string, { shell, variables }: { shell: readonly string[]; variables: Variables }): string[] | null {
  if (line.trim() === '') return null
  if (shell.length > 0) return [...shell, line]
  const [program, ...rest] = splitWords(line) ?? []
  return program === undefined || program === ''
    ? null
    : [program, ...rest.map((word, at) => (isText(word, rest[at - 1]) ? word : expand(word, variables)))]
}

/** Without its variables the word contains characters of program text, or the word before it announces some. */
function isText(word: string, before: string | undefined): boolean {
  return !/^[\w./=:@%+,-]*$/.test(word.replace(VARIABLE, '')) || /^-\w*[ce]$/.test(before ?? '')
}

const VARIABLE = /\$(?:\{(\w+)\}|([A-Za-z_]\w*))/g

function expand(word: string, variables: Variables): string {
  return word.replace(VARIABLE, (_, braced: string | undefined, bare: string | undefined) => {
    const name = braced ?? bare ?? ''
    return Object.hasOwn(variables, name) ? (variables[name] ?? '') : ''
  })
}

/** A hook's command, and whether the operation waits for it: one that ends in `&` runs in the background. */
export function readHook(text: string): { line: string; waits: boolean } {
  const trimmed = text.trim()
  return trimmed.endsWith('&') ? { line: trimmed.slice(0, -1).trim(), waits: false } : { line: trimmed, waits: true }
}

/** Whether somebody with this list may run that program: whole words, compared exactly (GHSA-w7qc-6grj-w7r8). */
export function mayRun(program: string, allowed: readonly string[]): boolean {
  return allowed.includes(program)
}

import { splitWords } from './split-words.ts'

/** What a command finds in its environment: paths as it sees them. */
export type Variables = Readonly<Record<string, string>>

/**
 * What is started for a line. Without a shell the line is words, in which `$NAME` and `${NAME}` stand for a variable: it becomes a part of that
 * one word, whatever is in it. Not so in a word that may be a program's text, such as that of `sh -c`, and with a shell not in the line at all:
 * there names arrive by the environment only, so that none is ever read as a command (GHSA-jvpw-637p-h3pw). Null for a line that is no command.
 */
export function argvOf(line: string, { shell, variables }: { shell: readonly string[]; variables: Variables }): string[] | null {
  if (line.trim() === '') return null
  if (shell.length > 0) return [...shell, line]
  const [program, ...rest] = splitWords(line) ?? []
  return program === undefined || program === ''
    ? null
    : [program, ...rest.map((word, at) => (isText(word, rest[at - 1]) ? word : expand(word, variables)))]
}

/** Something is left of it without its variables that no plain argument has, or the word before says that text follows. */
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

/** A hook's line, and whether the deed waits for it: one with `&` at its end runs by itself. */
export function readHook(text: string): { line: string; waits: boolean } {
  const trimmed = text.trim()
  return trimmed.endsWith('&') ? { line: trimmed.slice(0, -1).trim(), waits: false } : { line: trimmed, waits: true }
}

import type { Flag } from './command.ts'
import { takesNext } from './flags.ts'

interface Word {
  readonly word: string
  /** Index on the command line. */
  readonly at: number
}

/** Whether the command line names a command other than `serve`; found out without loading any command. */
export function namesCommand(argv: readonly string[]): boolean {
  const [first] = commandWords(argv, [])
  return first !== undefined && first.word !== 'serve'
}

/** The first two words; values of flags before them are skipped. @param flags flags of commands, besides the server's */
export function commandWords(argv: readonly string[], flags: readonly Flag[]): Word[] {
  const words: Word[] = []
  for (let at = 0; at < argv.length && words.length < 2; at += 1) {
    const arg = argv[at] ?? ''
    if (arg === '--') break
    if (!arg.startsWith('-')) words.push({ word: arg, at })
    // Before the first word stand flags of the server only.
    else if (takesNext(arg, words.length === 0 ? [] : flags)) at += 1
  }
  return words
}

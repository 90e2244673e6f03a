import type { Flag } from './command.ts'
import { takesNext } from './flags.ts'

interface Word {
  readonly word: string
  /** Where it stands on the command line. */
  readonly at: number
}

/** Whether the command line names anything to do but to serve; told without loading a single command. */
export function namesCommand(argv: readonly string[]): boolean {
  const [first] = commandWords(argv, [])
  return first !== undefined && first.word !== 'serve'
}

/** The first two words; what belongs to a flag before them is none. @param flags those that commands have beside the server's */
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

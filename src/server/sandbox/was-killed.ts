import type { Outcome } from './sandbox.ts'

/** A program that a signal ended has this and the signal’s number as its exit code. */
const SIGNALS_AFTER = 128
/** What is higher is no signal that ends programs, but an exit code of their own: ffmpeg has some. */
const LAST_SIGNAL = 31

/**
 * Whether a program was ended by a signal or by one of its limits: that may be the machine’s fault, and says nothing certain about what the program
 * read (B4, R9).
 */
export function wasKilled({ ended, exitCode }: Pick<Outcome, 'ended' | 'exitCode'>): boolean {
  if (ended !== 'exited') return ended !== 'aborted'
  return exitCode === null || (exitCode > SIGNALS_AFTER && exitCode <= SIGNALS_AFTER + LAST_SIGNAL)
}

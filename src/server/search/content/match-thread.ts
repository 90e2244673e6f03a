import { threadProgram } from '../../entries/entries.ts'
import { createThreads } from '../../threads/threads.ts'
import type { MatchAnswer, MatchRequest } from './match.ts'

/** More would take the processor from those who only want to see a folder. */
const THREADS = 2

/** As `match`, elsewhere. */
export type Match = (ask: MatchRequest) => Promise<MatchAnswer>

/** Looks for words in threads of their own. */
export function createMatchThreads(): Match {
  const threads = createThreads<MatchAnswer>(threadProgram('match-worker'), { most: THREADS })
  return (ask) => threads.ask(ask)
}

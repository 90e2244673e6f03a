import { threadProgram } from '../../entries/entries.ts'
import { createThreads } from '../../threads/threads.ts'
import type { MatchAnswer, MatchRequest } from './match.ts'

/** More would take the processor away from users who only open a folder. */
const THREADS = 2

/** As `match`, in another thread. */
export type Match = (ask: MatchRequest) => Promise<MatchAnswer>

/** Matches words in separate threads. */
export function createMatchThreads(): Match {
  const threads = createThreads<MatchAnswer>(threadProgram('match-worker'), { most: THREADS })
  return (ask) => threads.ask(ask)
}

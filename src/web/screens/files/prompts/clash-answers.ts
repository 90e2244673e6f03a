import type { FilePath } from '../../../../shared/file-path.ts'
import type { Clash, ClashAnswer } from '../../../data/clashes.ts'

/** A round of questions about taken names: what has been answered, and which comes next. */
export interface ClashRound {
  readonly clashes: readonly Clash[]
  readonly at: number
  readonly answers: ReadonlyMap<FilePath, ClashAnswer>
}

export function startRound(clashes: readonly Clash[]): ClashRound {
  return { clashes, at: 0, answers: new Map() }
}

/** Answers the clash on show, or it and all that follow. */
export function answerClash(round: ClashRound, answer: ClashAnswer, { forRest }: { forRest: boolean }): ClashRound {
  const end = forRest ? round.clashes.length : round.at + 1
  const answered = round.clashes.slice(round.at, end).map(({ from }): [FilePath, ClashAnswer] => [from, answer])
  return { ...round, at: end, answers: new Map([...round.answers, ...answered]) }
}

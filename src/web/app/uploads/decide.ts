import type { FilePath } from '../../../shared/file-path.ts'
import type { Conflict } from '../../data/uploads/conflicts.ts'
import type { ConflictAnswer } from '../../data/uploads/send.ts'

/** Going through the conflicts of a drop, one by one or all that are left at once. */
export interface Deciding {
  readonly conflicts: readonly Conflict[]
  readonly at: number
  readonly answers: ReadonlyMap<FilePath, ConflictAnswer>
}

export function startDeciding(conflicts: readonly Conflict[]): Deciding {
  return { conflicts, at: 0, answers: new Map() }
}

/** A file can never take the place of a folder. */
export function canReplace({ existing }: Conflict): boolean {
  return !existing.isFolder
}

/** What is chosen before anybody chose: the newer of the two should survive, and nothing be lost where that is the old one. */
export function suggestion(conflict: Conflict): ConflictAnswer {
  if (!canReplace(conflict)) return 'keep-both'
  return conflict.file.lastModified > conflict.existing.modified ? 'replace' : 'keep-both'
}

/** Answers the conflict on show; with `forRest` all that follow too. Where a folder stands in the way, replacing becomes keeping both. */
export function decide(state: Deciding, answer: ConflictAnswer, { forRest }: { forRest: boolean }): Deciding {
  const answers = new Map(state.answers)
  const end = forRest ? state.conflicts.length : state.at + 1
  for (const conflict of state.conflicts.slice(state.at, end)) {
    answers.set(conflict.path, answer === 'replace' && !canReplace(conflict) ? 'keep-both' : answer)
  }
  return { ...state, at: end, answers }
}

export function isDecided({ at, conflicts }: Deciding): boolean {
  return at >= conflicts.length
}

import type { EntryHead, Problem } from './protocol.ts'

/** An entry that is being read. The next one may be requested whether or not the bytes were read. */
export interface RawEntry {
  readonly head: EntryHead
  readonly bytes: () => AsyncIterable<Uint8Array>
}

export type RawEntries = AsyncGenerator<RawEntry, void>

export class ProblemError extends Error {
  readonly problem: Problem

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem, options)
    this.problem = problem
  }
}

export function refuse(problem: Problem): never {
  throw new ProblemError(problem)
}

export async function* nothing(): AsyncGenerator<Uint8Array, void> {}

import { visible } from '../print.ts'
import { type Question, shownTarget } from './requests.ts'

/** A kind of difference. */
export interface Difference {
  readonly call: string
  /** Name of the account; empty for visitors. */
  readonly as: string
  readonly what: string
  count: number
  /** The first addresses. */
  readonly examples: string[]
}

export interface Tally {
  compared: number
  /** Answers with at least one difference. */
  different: number
  /** Requests that at least one of the servers gave no whole answer to. */
  failed: number
  readonly differences: Map<string, Difference>
  /** How many requests were not compared, by reason. */
  readonly skipped: Map<string, number>
}

const MOST_EXAMPLES = 3

export function newTally(): Tally {
  return { compared: 0, different: 0, failed: 0, differences: new Map(), skipped: new Map() }
}

export function skip(tally: Tally, reason: string): void {
  tally.skipped.set(reason, (tally.skipped.get(reason) ?? 0) + 1)
}

/** Counts a pair of answers with their differences. */
export function count(tally: Tally, question: Question, as: string, found: readonly string[]): void {
  tally.compared += 1
  if (found.length > 0) tally.different += 1
  list(tally, question, as, found)
}

/** Counts a request without two answers, with the reasons. */
export function countFailed(tally: Tally, question: Question, as: string, reasons: readonly string[]): void {
  tally.failed += 1
  list(tally, question, as, reasons)
}

function list(tally: Tally, { method, target, call }: Question, as: string, found: readonly string[]): void {
  for (const what of found) {
    const key = `${call}\n${as}\n${what}`
    const difference = tally.differences.get(key) ?? { call, as, what, count: 0, examples: [] }
    difference.count += 1
    if (difference.examples.length < MOST_EXAMPLES) difference.examples.push(`${method} ${shownTarget(target)}`)
    tally.differences.set(key, difference)
  }
}

/** The report for people, the most frequent difference first. */
export function tallyLines({ compared, different, failed, differences, skipped }: Tally): string[] {
  const found = [...differences.values()].toSorted((a, b) => b.count - a.count)
  return [
    `${compared} answers compared, ${different} differ${failed === 0 ? '' : `; ${failed} requests without an answer`}`,
    ...found.flatMap(({ call, as, what, count: times, examples }) => [
      `${times} × ${call}${as === '' ? '' : ` as ${visible(as)}`}: ${visible(what)}`,
      ...examples.map((one) => `    ${visible(one)}`),
    ]),
    ...[...skipped].map(([reason, times]) => `${times} not compared: ${reason}`),
  ]
}

import { appendFileSync, existsSync, readFileSync } from 'node:fs'

export type Limit = { readonly atLeast: number } | { readonly atMost: number }

/** Both sides of a ratio, with their units. */
export interface Seen {
  readonly ours: string
  readonly reference: string
}

/** One thing that was measured, as every benchmark hands it over. */
export interface Figure {
  readonly what: string
  /** A ratio where it was seen beside a reference, else in the unit that `what` names. */
  readonly value: number
  /** Null where it is reported only. */
  readonly limit: Limit | null
  readonly seen: Seen | null
}

/** A benchmark that is run for the table is told by the environment where its figures go, a line each, and how much it shall measure. */
export const FIGURES_VARIABLE = 'BENCH_FIGURES'
export const SIZE_VARIABLE = 'BENCH_SIZE'

/** What to measure with: all of it, or enough to see that it works and about where it stands. */
export function sized(full: number, small: number): number {
  return process.env[SIZE_VARIABLE] === 'small' ? small : full
}

export function isHeld({ value, limit }: Pick<Figure, 'value' | 'limit'>): boolean {
  if (limit === null) return true
  return 'atLeast' in limit ? value >= limit.atLeast : value <= limit.atMost
}

export function limitWords(limit: Limit): string {
  return 'atLeast' in limit ? `at least ${limit.atLeast}` : `at most ${limit.atMost}`
}

export function handOver(figure: Figure): void {
  const file = process.env[FIGURES_VARIABLE]
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figure)}\n`)
}

/** What a benchmark handed over. */
export function readFigures(file: string): Figure[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  // Written by `handOver` and by nobody else.
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Figure]))
}

/** Lines that were run, oldest first, and where the arrows stand: at `lines.length` one is at what one was typing. */
export interface History {
  readonly lines: readonly string[]
  readonly at: number
  readonly draft: string
}

export const NO_HISTORY: History = { lines: [], at: 0, draft: '' }

const KEPT = 200

/** The same line twice in a row is one. */
export function remember({ lines }: History, line: string): History {
  const kept = lines.at(-1) === line ? lines : [...lines, line].slice(-KEPT)
  return { lines: kept, at: kept.length, draft: '' }
}

/** @param typed what stands in the field, kept for the way back. @returns null where there is nothing further */
export function walk(history: History, step: -1 | 1, typed: string): { history: History; text: string } | null {
  const at = history.at + step
  if (at < 0 || at > history.lines.length) return null
  const draft = history.at === history.lines.length ? typed : history.draft
  return { history: { ...history, at, draft }, text: history.lines[at] ?? draft }
}

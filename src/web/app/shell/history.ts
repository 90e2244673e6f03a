/** Command history, oldest first, and the current position; `lines.length` is the line being typed. */
export interface History {
  readonly lines: readonly string[]
  readonly at: number
  readonly draft: string
}

export const NO_HISTORY: History = { lines: [], at: 0, draft: '' }

const KEPT = 200

/** Consecutive duplicates are stored once. */
export function pushLine({ lines }: History, line: string): History {
  const kept = lines.at(-1) === line ? lines : [...lines, line].slice(-KEPT)
  return { lines: kept, at: kept.length, draft: '' }
}

/** @param typed the current input, kept for the way back. @returns null at either end */
export function stepHistory(history: History, step: -1 | 1, typed: string): { history: History; text: string } | null {
  const at = history.at + step
  if (at < 0 || at > history.lines.length) return null
  const draft = history.at === history.lines.length ? typed : history.draft
  return { history: { ...history, at, draft }, text: history.lines[at] ?? draft }
}

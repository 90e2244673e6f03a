import type { JournalEntry } from '../journal/operation-row.ts'
import type { Change, Node } from './span.ts'

export interface OldContent {
  /** The operation that replaced it last, and so has the version that holds it. */
  readonly entry: JournalEntry
  /** All of them, the newest first. */
  readonly covers: readonly JournalEntry[]
}

/**
 * Of each file whose content was replaced, the content that it had before; null if it has that now. Of replacements of which not all are taken back, only
 * the last ones count.
 */
export function contentsOf(changes: readonly Change[], isWanted: (entry: JournalEntry) => boolean): ReadonlyMap<Node, OldContent | null> {
  const rows = new Map<Node, JournalEntry[]>()
  const closed = new Set<Node>()
  for (const { entry, node } of changes) {
    if (entry.kind !== 'replace' || closed.has(node)) continue
    if (isWanted(entry)) rows.set(node, [...(rows.get(node) ?? []), entry])
    else closed.add(node)
  }
  return new Map(Array.from(rows, ([node, covers]) => [node, oldContent(covers)]))
}

/** @param covers the newest first */
function oldContent(covers: readonly JournalEntry[]): OldContent | null {
  /** Contents by number, 0 is the first; what takes a replacement back makes its content that of before. */
  const before = new Map<string, number>()
  let content = 0
  let count = 0
  let found: JournalEntry | null = null
  for (const entry of covers.toReversed()) {
    before.set(entry.id, content)
    if (content === 0) found = entry
    content = (entry.reverts === null ? undefined : before.get(entry.reverts)) ?? ++count
  }
  return found === null || content === 0 ? null : { entry: found, covers }
}

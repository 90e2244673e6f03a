import type { JournalEntry } from '../journal/operation-row.ts'
import type { Attributes } from './step.ts'
import type { Change, Node } from './span.ts'

export interface OldContent {
  /** The operation that replaced it last; of content that gets attributes, with these. */
  readonly entry: JournalEntry
  /** The version that holds it; null if the file itself does. */
  readonly version: string | null
  /** What it had, if it has other ones now: a version that is restored gets the time of then. */
  readonly attributes: Attributes | null
  /** Nothing was kept of it. */
  readonly isLost: boolean
  /** All of the replacements, the newest first. */
  readonly covers: readonly JournalEntry[]
}

/**
 * Of each file whose content was replaced, the content that it had before; null if it has that now. Of replacements of which not all are taken back, only
 * the last ones count.
 */
export function contentsOf(changes: readonly Change[], isWanted: (change: Change) => boolean): ReadonlyMap<Node, OldContent | null> {
  const rows = new Map<Node, JournalEntry[]>()
  const closed = new Set<Node>()
  for (const change of changes) {
    const { event, node } = change
    if (event.kind !== 'content' || closed.has(node)) continue
    if (isWanted(change)) rows.set(node, [...(rows.get(node) ?? []), event.entry])
    else closed.add(node)
  }
  return new Map(Array.from(rows, ([node, covers]) => [node, oldContent(covers)]))
}

export interface OldAttributes {
  /** The operation before which the file had the content with these. */
  readonly entry: JournalEntry
  readonly was: Attributes
  /** The restorations by which it got others, the newest first. */
  readonly covers: readonly JournalEntry[]
}

/** Of each content that is a node of its own and was restored as a save: the attributes that it had before the first time. */
export function attributesOf(changes: readonly Change[], isWanted: (change: Change) => boolean): ReadonlyMap<Node, OldAttributes> {
  const restored = new Map<Node, { covers: JournalEntry[]; version: string; was: Attributes }>()
  const keepers = new Map<string, JournalEntry>()
  for (const change of changes) {
    const { entry, kind, key } = change.event
    if (!isWanted(change)) continue
    if (kind === 'go' && key !== null) keepers.set(key, entry)
    if (kind !== 'back' || entry.kind !== 'replace' || entry.restored === null || entry.restored.was === null) continue
    const { version, was } = entry.restored
    restored.set(change.node, { covers: [...(restored.get(change.node)?.covers ?? []), entry], version, was })
  }
  // A copy is known later by what it took back, also where the contents of the file are one node: what was there before a restoration is another content then.
  const found = Array.from(restored, ([node, { covers, version, was }]) => {
    const entry = keepers.get(version) ?? covers.at(-1)
    return entry === undefined ? [] : ([[node, { entry, was, covers }]] as const)
  })
  return new Map(found.flat())
}

/** Bytes and attributes by number, 0 is the first. */
interface Content {
  readonly bytes: number
  readonly attributes: number
}

/** @param covers the newest first */
function oldContent(covers: readonly JournalEntry[]): OldContent | null {
  const before = new Map<string, Content>()
  /** What versions hold at the end. */
  const held = new Map<string, Content>()
  let count = 0
  let first: Attributes | null = null
  let content: Content = { bytes: 0, attributes: 0 }
  let last: JournalEntry | null = null
  /** Before which it also had its own attributes. */
  let lastExact: JournalEntry | null = null

  /** Content that was there with other attributes is taken back as a copy, which has those of before. */
  function copied({ reverts }: JournalEntry): Content | undefined {
    const old = reverts === null ? undefined : before.get(reverts)
    const isKept = [...held.values()].some((one) => one.bytes === old?.bytes && one.attributes === old.attributes)
    return isKept ? undefined : old
  }

  for (const entry of covers.toReversed()) {
    const { id, version, restored } = entry
    before.set(id, content)
    if (version !== null) held.set(version, content)
    if (content.bytes === 0) last = entry
    if (content.bytes === 0 && content.attributes === 0) lastExact = entry
    const was = restored === null ? null : restored.was
    const source = restored === null ? copied(entry) : held.get(restored.version)
    if (restored !== null) held.delete(restored.version)
    if (source?.attributes === 0 && was !== null) first ??= was
    const fresh = { bytes: ++count, attributes: count }
    content = source === undefined ? fresh : was === null ? source : { ...fresh, bytes: source.bytes }
  }
  if (last === null || (content.bytes === 0 && content.attributes === 0)) return null
  const exact = [...held].findLast(([, one]) => one.bytes === 0 && one.attributes === 0)
  const similar = content.bytes === 0 ? ([null] as const) : [...held].findLast(([, one]) => one.bytes === 0)
  const [version] = exact ?? similar ?? [null]
  const attributes = exact === undefined ? first : null
  // A copy is known later by what it took back, and has what was there before that.
  const taken = exact === undefined ? (lastExact ?? last) : last
  return { entry: taken, version, attributes, isLost: version === null && (content.bytes !== 0 || attributes === null), covers }
}

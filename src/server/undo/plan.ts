import { type FilePath, joinPath, ROOT } from '../../shared/file-path.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import { attributesOf, contentsOf } from './contents.ts'
import type { Event } from './events.ts'
import { goalOf, isSamePlace } from './goal.ts'
import { diskPathOf, type Node, type Place, placeOf, setDiskPlace, spanOf } from './span.ts'
import type { Inner, Left, Step } from './step.ts'

export interface PlanOptions {
  /** Where the folder is now, everything below which is taken back; the root by default. */
  readonly folder?: FilePath
  /** Which of the operations are taken back; all by default. The others still tell where nodes are. */
  readonly wants?: (entry: JournalEntry) => boolean
}

/**
 * How operations are taken back: from where each node is to where it was, at most once for each node unless another one is in its way. So what has no effect
 * in the end has no step: a node that appeared and went within the span, if nothing else was ever in it; a node that is where it was. Of several contents of
 * one file, the oldest comes back; a tree that appeared goes as a whole.
 * @param entries everything that happened in a span to the nodes in question, the oldest first
 */
export function planOf(entries: readonly JournalEntry[], { folder = ROOT, wants = () => true }: PlanOptions = {}): Step[] {
  const span = spanOf(entries, folder)
  const { changes, root } = span
  const { wanted, isNew, isOwn, places } = goalOf(span, wants)
  const steps: Step[] = []
  const numbers = new Map<Node, number>()
  const initial = new Map(changes.map(({ node }) => [node, diskPathOf(node, root)]))
  /** The step that put a node aside, for one that needs its name. */
  const aside = new Map<Node, Step>()
  const placing = new Set<Node>()

  /** Where it is to be. */
  const goalFor = (node: Node): Place | null => (places.has(node) ? (places.get(node) ?? null) : placeOf(node))
  const isThere = (node: Node): boolean => isSamePlace(placeOf(node), goalFor(node))

  function leftOf(node: Node): Left {
    // What takes something back leaves things as they were before.
    const all = node.events.filter(isOfNode).map(({ entry }) => entry)
    const left = all.filter((entry) => wants(entry) || entry.reverts !== null)
    // Of what was deleted before it was settled, the journal may not know the content; what it says of an earlier one is not of this.
    const content = left.find(
      ({ kind, size, modified }) => MAKES_CONTENT.has(kind) || (kind !== 'delete' && (size !== null || modified !== null)),
    )
    return { identity: (left[0] ?? all[0])?.identity ?? '', size: content?.size ?? null, modified: content?.modified ?? null }
  }

  /** What is taken back of a node, the newest first. */
  const rowsOf = (node: Node): JournalEntry[] =>
    node.events.filter((event) => wanted.has(event) && event.kind !== 'content').map(({ entry }) => entry)

  function add(node: Node, entry: JournalEntry, more: Pick<Step, 'change' | 'path'> & Partial<Step>): Step {
    const isFirst = !numbers.has(node)
    const number = numbers.get(node) ?? numbers.size
    numbers.set(node, number)
    const left = isFirst && more.change !== 'restore' ? leftOf(node) : null
    const step = { ...NOTHING, folder: entry.folder, node: number, now: initial.get(node) ?? null, entry, left, ...more }
    const covers = [...new Set(step.covers)].filter((one) => one !== entry)
    steps.push({ ...step, covers })
    return steps.at(-1) ?? step
  }

  /** Of a node that appeared, the newest first. */
  const ofNew = (node: Node): JournalEntry[] =>
    node.events
      .filter((event) => wanted.has(event) && (isOwn(node) || (event.kind !== 'move' && event.kind !== 'go')))
      .map(({ entry }) => entry)

  function innerOf(node: Node, from: FilePath): Inner[] {
    return Array.from(node.diskChildren.values()).flatMap((child) => {
      const path = joinPath(from, child.diskName)
      const { folder: isFolder = true, kind } = child.born?.entry ?? {}
      const self = isNew(child) ? [{ ...leftOf(child), path, folder: isFolder, isWhole: kind === 'copy', entries: ofNew(child) }] : []
      return [...self, ...innerOf(child, path)]
    })
  }

  /** What must not go with a folder leaves it. @param isForGood whether what appeared in it goes with it */
  function evacuate(node: Node, { isForGood }: { isForGood: boolean }): void {
    for (const child of node.diskChildren.values()) {
      if (isThere(child) || (isForGood && goalFor(child) === null && isNew(child))) evacuate(child, { isForGood })
      else if (goalFor(child) === null) remove(child)
      else putAside(child)
    }
  }

  /** A folder goes with everything in it that would go as well. */
  function remove(node: Node): void {
    evacuate(node, { isForGood: true })
    const path = diskPathOf(node, root)
    if (path === null) return
    const born = isNew(node) ? (node.born?.entry ?? null) : null
    const entry = born ?? rowsOf(node)[0] ?? node.away?.entry
    if (entry === undefined) return
    const inner = innerOf(node, ROOT)
    const own = born === null ? rowsOf(node) : ofNew(node)
    const covers = [...own, ...inner.flatMap(({ entries: some }) => some)]
    const inside = born?.kind === 'create' && born.folder ? inner : null
    setDiskPlace(node, null)
    add(node, entry, { change: 'remove', path, inside, covers })
  }

  function putAside(node: Node): void {
    evacuate(node, { isForGood: false })
    const path = diskPathOf(node, root)
    const entry = rowsOf(node)[0] ?? node.away?.entry
    if (path === null || entry === undefined) return
    setDiskPlace(node, null)
    aside.set(node, add(node, entry, { change: 'remove', path }))
  }

  /** What has a name that another node needs. If it is to stay, the step says that the name is taken. */
  function vacate(node: Node): void {
    if (isThere(node)) return
    if (goalFor(node) === null) remove(node)
    else putAside(node)
  }

  /** What it is in may be out of sight: that comes first. @returns false if it cannot be found */
  function reach(node: Node, to: Place): boolean {
    if (diskPathOf(node, root) !== null || isAway(node)) return true
    let top = node
    while (top.diskParent !== null && !isAway(top)) top = top.diskParent
    if (top === node || top === root || !isAway(top)) return false
    if (goalFor(top) !== null && !placing.has(top)) place(top)
    if (diskPathOf(top, root) === null) bringBack(top, { parent: to.parent, name: `${top.diskName} ${Bun.randomUUIDv7().slice(-8)}` })
    return diskPathOf(node, root) !== null
  }
  const isAway = (node: Node): boolean => node.diskParent === null && (node.away !== null || aside.has(node))

  function bringBack(node: Node, to: Place): void {
    setDiskPlace(node, to)
    const path = diskPathOf(node, root)
    const rows = rowsOf(node)
    const { away } = node
    const earlier = aside.get(node) ?? null
    aside.delete(node)
    const entry = (earlier === null ? away?.entry : earlier.entry) ?? rows[0]
    if (path === null || entry === undefined) return
    const common = { change: 'restore', path, folder: entry.folder, covers: rows } as const
    if (earlier !== null) return void add(node, entry, { ...common, aside: earlier })
    const isReplaced = away !== null && away.key !== away.entry.id
    const found = isReplaced ? { version: away.key } : { deletion: away?.entry ?? null }
    add(node, entry, { ...common, ...found, problem: away?.key === null ? 'gone' : null })
  }

  function place(node: Node): void {
    const to = goalFor(node)
    if (to === null || placing.has(node)) return
    placing.add(node)
    for (let above: Node | null = to.parent; above !== null; above = goalFor(above)?.parent ?? null) if (!isThere(above)) place(above)
    const isFound = reach(node, to)
    if (!isThere(node)) {
      const there = to.parent.diskChildren.get(to.name)
      if (there !== undefined && there !== node) vacate(there)
      if (isFound && isAway(node)) bringBack(node, to)
      else move(node, to)
    }
    placing.delete(node)
  }

  function move(node: Node, goal: Place): void {
    const from = diskPathOf(node, root)
    setDiskPlace(node, goal)
    const to = diskPathOf(node, root)
    const rows = rowsOf(node)
    const [entry] = rows
    if (entry === undefined) return
    add(node, entry, {
      change: 'move',
      path: from ?? entry.path,
      to,
      covers: rows,
      problem: from === null || to === null ? 'changed' : null,
    })
  }

  function takeContentsBack(): void {
    const contents = contentsOf(changes, ({ event }) => wanted.has(event))
    const attributes = attributesOf(changes, ({ event }) => wanted.has(event))
    for (const [node, { entry, covers, was }] of attributes) {
      const path = diskPathOf(node, root)
      if (path !== null && !isNew(node)) add(node, entry, { change: 'content', path, attributes: was, covers })
    }
    for (const { event, node } of changes) {
      const { entry, kind } = event
      const path = diskPathOf(node, root)
      if (!wanted.has(event) || isNew(node) || path === null) continue
      const content = contents.get(node)
      if (kind !== 'content' || content === null) continue
      if (content === undefined || !content.covers.includes(entry)) add(node, entry, { change: 'content', path, problem: 'changed' })
      else if (content.covers[0] === entry) {
        const { version, attributes: of, isLost, covers } = content
        add(node, content.entry, { change: 'content', path, version, attributes: of, covers, problem: isLost ? 'gone' : null })
      }
    }
  }

  for (const node of places.keys()) if (goalFor(node) !== null) place(node)
  for (const node of places.keys()) if (goalFor(node) === null && !isInNew(node)) remove(node)
  takeContentsBack()
  return steps

  /** It goes with what it is in. */
  function isInNew(node: Node): boolean {
    const above = node.diskParent
    return isNew(node) && above !== null && isNew(above) && goalFor(above) === null
  }
}

const NOTHING = {
  to: null,
  covers: [] as readonly JournalEntry[],
  inside: null,
  deletion: null,
  aside: null,
  version: null,
  attributes: null,
  problem: null,
} as const

const MAKES_CONTENT: ReadonlySet<JournalEntry['kind']> = new Set(['create', 'copy', 'replace'])

/** Whether the operation says how the node itself was afterwards, or before it was deleted. */
function isOfNode({ kind, entry }: Event): boolean {
  return kind !== 'go' || entry.kind === 'delete'
}

import { type FilePath, joinPath, ROOT } from '../../shared/file-path.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import { contentsOf } from './contents.ts'
import type { Event } from './events.ts'
import { type Change, diskPathOf, type Node, setDiskPlace, spanOf } from './span.ts'
import type { Inner, Left, Step } from './step.ts'

export interface PlanOptions {
  /** Where the folder is now, everything below which is taken back; the root by default. */
  readonly folder?: FilePath
  /** Which of the operations are taken back; all by default. The others still tell where nodes are. */
  readonly wants?: (entry: JournalEntry) => boolean
}

/**
 * How operations are taken back: the newest first, without what has no effect in the end. Of a node that appeared and went within the span, nothing is done,
 * provided that nothing else was ever in it; of several contents of one file, the oldest comes back; a tree that appeared goes as a whole.
 * @param entries everything that happened in a span to the nodes in question, the oldest first
 */
export function planOf(entries: readonly JournalEntry[], { folder = ROOT, wants = () => true }: PlanOptions = {}): Step[] {
  const { changes, root } = spanOf(entries, folder)
  const wanted = new Set(changes.flatMap(({ event, isInside }) => (isInside && wants(event.entry) ? [event] : [])))
  const contents = contentsOf(changes, ({ event }) => wanted.has(event))
  const returned = new Set<Node>()
  const numbers = new Map<Node, number>()
  const finished = new Set<Node>()
  /** Of what is there now and was not at the time that is reached: how it came back. It needs no step, because it goes back to where it was before. */
  const kept = new Map<Node, Event>()
  /** The step that put a node aside, for one that needs its name. */
  const aside = new Map<Node, Step>()
  const steps: Step[] = []
  const initial = new Map(changes.map(({ node }) => [node, diskPathOf(node, root)]))

  const isNew = (node: Node): boolean => node.born !== null && wanted.has(node.born)
  const others = withOthers(root, changes, isNew)
  /** It appeared in the span, and so did everything that was ever in it. */
  const isOwn = (node: Node): boolean => isNew(node) && !others.has(node)

  function leftOf(node: Node): Left {
    // What takes something back leaves things as they were before.
    const all = node.events.filter(isOfNode).map(({ entry }) => entry)
    const left = all.filter((entry) => wants(entry) || entry.reverts !== null)
    const content = left.find(({ kind, size, modified }) => kind !== 'delete' && (size !== null || modified !== null))
    return { identity: (left[0] ?? all[0])?.identity ?? '', size: content?.size ?? null, modified: content?.modified ?? null }
  }

  function add(node: Node, entry: JournalEntry, more: Pick<Step, 'change' | 'path'> & Partial<Step>): void {
    const isFirst = !numbers.has(node)
    const number = numbers.get(node) ?? numbers.size
    numbers.set(node, number)
    const left = isFirst && more.change !== 'restore' ? leftOf(node) : null
    steps.push({ ...NOTHING, folder: entry.folder, node: number, now: initial.get(node) ?? null, entry, left, ...more })
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

  /** A folder goes with everything in it that would go as well. */
  function remove(node: Node): void {
    finished.add(node)
    const path = diskPathOf(node, root)
    const all = ofNew(node)
    const entry = node.born?.entry ?? all.at(-1)
    if (path === null || entry === undefined) return
    putAsideIn(node)
    const inner = innerOf(node, ROOT)
    const covers = [...all, ...inner.flatMap(({ entries: some }) => some)].filter((one) => one !== entry)
    add(node, entry, { change: 'remove', path, inside: entry.kind === 'create' && entry.folder ? inner : null, covers })
    setDiskPlace(node, null)
  }

  function removeAgain(node: Node, entry: JournalEntry): void {
    putAsideIn(node)
    const path = diskPathOf(node, root)
    if (path !== null) add(node, entry, { change: 'remove', path })
    setDiskPlace(node, null)
  }

  function putAside(node: Node): void {
    const comeback = kept.get(node)
    if (comeback === undefined || node.diskParent === null) return
    removeAgain(node, comeback.entry)
    const last = steps.at(-1)
    if (last !== undefined) aside.set(node, last)
  }

  function putAsideIn(folderOfThem: Node): void {
    for (const node of folderOfThem.diskChildren.values()) {
      putAsideIn(node)
      putAside(node)
    }
  }

  /** What is there only for now leaves its name. */
  function clear(node: Node, { parent, name }: NonNullable<Change['before']>): void {
    const there = parent.diskChildren.get(name)
    if (there === undefined || there === node) return
    if (isOwn(there)) remove(there)
    else putAside(there)
  }

  function takeBackContent(node: Node, entry: JournalEntry): void {
    if (isNew(node) || returned.has(node)) return
    const content = contents.get(node)
    const path = diskPathOf(node, root)
    if (path === null || content === null) return
    if (content === undefined || !content.covers.includes(entry)) return add(node, entry, { change: 'content', path, problem: 'changed' })
    returned.add(node)
    const { version, attributes, isLost } = content
    const covers = content.covers.filter((one) => one !== content.entry)
    add(node, content.entry, { change: 'content', path, version, attributes, covers, problem: isLost ? 'gone' : null })
  }

  /** A version that was restored, as a file of its own. */
  function takeBackAttributes(node: Node, { entry }: Event): void {
    const attributes = entry.kind === 'replace' ? (entry.restored?.was ?? null) : null
    const path = diskPathOf(node, root)
    if (attributes !== null && path !== null) add(node, entry, { change: 'content', path, attributes })
  }

  function moveBack(node: Node, event: Event, before: NonNullable<Change['before']>): void {
    clear(node, before)
    kept.delete(node)
    const from = diskPathOf(node, root)
    setDiskPlace(node, before)
    const to = diskPathOf(node, root)
    if (from !== null && from === to) return
    if (event.kind === 'go' && from === null && to !== null) bringBack(node, event, to)
    else add(node, event.entry, { change: 'move', path: from ?? event.path, to, problem: from === null || to === null ? 'changed' : null })
  }

  function bringBack(node: Node, event: Event, path: FilePath): void {
    const { away } = node
    const earlier = aside.get(node) ?? null
    aside.delete(node)
    const { entry } = away ?? event
    if (earlier !== null) return add(node, entry, { change: 'restore', path, aside: earlier })
    const isReplaced = away !== null && away.key !== away.entry.id
    const found = isReplaced ? { version: away.key, deletion: null } : { version: null, deletion: away?.entry ?? null }
    add(node, entry, { change: 'restore', path, ...found, problem: away === null ? 'changed' : away.key === null ? 'gone' : null })
  }

  for (const { event, node, before } of changes) {
    if (finished.has(node)) continue
    if (isOwn(node)) {
      const above = node.diskParent
      if (above !== null && (!isNew(above) || finished.has(above))) remove(node)
      continue
    }
    if (!wanted.has(event)) continue
    if (event.kind === 'appear') remove(node)
    else if (event.kind === 'content') takeBackContent(node, event.entry)
    else if (before !== null) moveBack(node, event, before)
    else if (event.kind === 'back') {
      takeBackAttributes(node, event)
      // It goes back by what removed it, if that is taken back as well.
      if (node.events.some((one) => one.kind === 'go' && one.key === event.key && wanted.has(one))) kept.set(node, event)
      else removeAgain(node, event.entry)
    }
  }
  return steps
}

const NOTHING = {
  to: null,
  covers: [],
  inside: null,
  deletion: null,
  aside: null,
  version: null,
  attributes: null,
  problem: null,
} as const

/** Whether the operation says how the node itself was afterwards, or before it was deleted. */
function isOfNode({ kind, entry }: Event): boolean {
  return kind !== 'go' || entry.kind === 'delete'
}

/** Nodes that are not new, and those in which any of them ever was. */
function withOthers(root: Node, changes: readonly Change[], isNew: (node: Node) => boolean): ReadonlySet<Node> {
  const containers = new Map<Node, Node[]>()
  const all = new Set([root, ...changes.map(({ node }) => node)])
  for (const node of all) {
    for (const inner of node.contained) {
      all.add(inner)
      containers.set(inner, [...(containers.get(inner) ?? []), node])
    }
  }
  const found = new Set([...all].filter((node) => !isNew(node)))
  for (const node of found) for (const container of containers.get(node) ?? []) found.add(container)
  return found
}

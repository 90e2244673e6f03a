import { type FilePath, joinPath, ROOT } from '../../shared/file-path.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import { contentsOf } from './contents.ts'
import { type Change, diskPathOf, type Node, setDiskPlace, spanOf } from './span.ts'

/** How a node was left by the last operation on it. Null for what is not known. */
export interface Left {
  readonly identity: string
  /** Bytes; of files. */
  readonly size: number | null
  readonly modified: number | null
}

/** A node that goes with its folder. */
export interface Inner extends Left {
  /** From the folder. */
  readonly path: FilePath
  readonly folder: boolean
  /** It came with everything in it. */
  readonly isWhole: boolean
  /** The operations by which it appeared and was changed, that by which it appeared first. */
  readonly entries: readonly JournalEntry[]
}

/** One step on the way back, on the disk as the steps before leave it. Paths are storage paths. */
export interface Step {
  readonly change: 'remove' | 'restore' | 'move' | 'content'
  /** Steps of the same number are of the same node. */
  readonly node: number
  /** Where the node is; of a restoration, where it is going to be. */
  readonly path: FilePath
  /** Where it is before the first step; null if it is not on the disk. */
  readonly now: FilePath | null
  /** Of a move. */
  readonly to: FilePath | null
  readonly folder: boolean
  /** The operation that it takes back. */
  readonly entry: JournalEntry
  /** Further ones that it takes back. */
  readonly covers: readonly JournalEntry[]
  /** How the node must be; null if an earlier step has changed it, or it is in the trash. */
  readonly left: Left | null
  /** Of the removal of a folder that appeared: what must be all that is in it. Null for what came as a whole. */
  readonly inside: readonly Inner[] | null
  /** Of a restoration. */
  readonly deletion: JournalEntry | null
  /** Of a restoration: the earlier step that put the node aside. */
  readonly aside: Step | null
  /** Of the content that comes back; null if nothing is kept of it. */
  readonly version: string | null
  /** Known already: it cannot be done. */
  readonly problem: 'changed' | null
}

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
  const wanted = new Set(changes.flatMap(({ entry, isInside }) => (isInside && wants(entry) ? [entry] : [])))
  const contents = contentsOf(changes, (entry) => wanted.has(entry))
  const own = new Map<Node, boolean>()
  const numbers = new Map<Node, number>()
  const finished = new Set<Node>()
  /** Restorations that need no step, because their deletions are taken back as well. */
  const kept = new Map<Node, JournalEntry>()
  /** The step that put a node aside, for one that needs its name. */
  const aside = new Map<Node, Step>()
  const steps: Step[] = []
  const initial = new Map(changes.map(({ node }) => [node, diskPathOf(node, root)]))

  /** It appeared in the span, and so did everything that was ever in it. */
  function isOwn(node: Node): boolean {
    const known = own.get(node)
    if (known !== undefined) return known
    own.set(node, true)
    const isIt = isNew(node) && [...node.contained].every(isOwn)
    own.set(node, isIt)
    return isIt
  }
  const isNew = (node: Node): boolean => node.born !== null && wanted.has(node.born)

  function leftOf(node: Node): Left {
    // What takes something back leaves things as they were before.
    const left = node.entries.filter((entry) => wants(entry) || entry.reverts !== null)
    const content = left.find(({ kind, size, modified }) => kind !== 'delete' && (size !== null || modified !== null))
    return { identity: (left[0] ?? node.entries[0])?.identity ?? '', size: content?.size ?? null, modified: content?.modified ?? null }
  }

  function add(node: Node, entry: JournalEntry, more: Pick<Step, 'change' | 'path'> & Partial<Step>): void {
    const isFirst = !numbers.has(node)
    const number = numbers.get(node) ?? numbers.size
    numbers.set(node, number)
    const left = isFirst && more.change !== 'restore' ? leftOf(node) : null
    const common = { to: null, covers: [], inside: null, deletion: null, aside: null, version: null, problem: null, folder: entry.folder }
    steps.push({ ...common, node: number, now: initial.get(node) ?? null, entry, left, ...more })
  }

  /** Of a node that appeared, the newest first. */
  const ofNew = (node: Node): JournalEntry[] =>
    node.entries.filter((entry) => wanted.has(entry) && (isOwn(node) || (entry.kind !== 'move' && entry.kind !== 'delete')))

  function innerOf(node: Node, from: FilePath): Inner[] {
    return Array.from(node.diskChildren.values()).flatMap((child) => {
      const path = joinPath(from, child.diskName)
      const isFolder = child.born?.folder ?? child.entries[0]?.folder ?? true
      const self = isNew(child)
        ? [{ ...leftOf(child), path, folder: isFolder, isWhole: child.born?.kind === 'copy', entries: ofNew(child) }]
        : []
      return [...self, ...innerOf(child, path)]
    })
  }

  /** A folder goes with everything in it that would go as well. */
  function remove(node: Node): void {
    finished.add(node)
    const path = diskPathOf(node, root)
    const all = ofNew(node)
    const entry = all.find(({ kind }) => isAppearance(kind))
    if (path === null || entry === undefined) return
    putAsideIn(node)
    const inner = innerOf(node, ROOT)
    const covers = [...all, ...inner.flatMap(({ entries: some }) => some)].filter((one) => one !== entry)
    add(node, entry, { change: 'remove', path, inside: node.born?.kind === 'create' && node.born.folder ? inner : null, covers })
    setDiskPlace(node, null)
  }

  function removeAgain(node: Node, entry: JournalEntry): void {
    putAsideIn(node)
    const path = diskPathOf(node, root)
    if (path !== null) add(node, entry, { change: 'remove', path })
    setDiskPlace(node, null)
  }

  function putAside(node: Node): void {
    const restoration = kept.get(node)
    if (restoration === undefined || node.diskParent === null) return
    removeAgain(node, restoration)
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
    if (isNew(node)) return
    const content = contents.get(node)
    const path = diskPathOf(node, root)
    if (path === null || content === null) return
    if (content === undefined || !content.covers.includes(entry)) add(node, entry, { change: 'content', path, problem: 'changed' })
    else if (content.covers.at(-1) === entry) {
      const covers = content.covers.filter((one) => one !== content.entry)
      add(node, content.entry, { change: 'content', path, version: content.entry.version, covers })
    }
  }

  function moveBack(node: Node, entry: JournalEntry, before: NonNullable<Change['before']>): void {
    clear(node, before)
    const from = diskPathOf(node, root)
    setDiskPlace(node, before)
    const to = diskPathOf(node, root)
    if (from !== null && from === to) return
    if (entry.kind === 'delete' && from === null && to !== null) {
      const { trashed: deletion } = node
      const earlier = aside.get(node) ?? null
      const problem = deletion === null && earlier === null ? 'changed' : null
      add(node, deletion ?? entry, { change: 'restore', path: to, deletion: earlier === null ? deletion : null, aside: earlier, problem })
      aside.delete(node)
    } else add(node, entry, { change: 'move', path: from ?? entry.path, to, problem: from === null || to === null ? 'changed' : null })
  }

  for (const { entry, node, before } of changes) {
    if (finished.has(node)) continue
    if (isOwn(node)) {
      const above = node.diskParent
      if (above !== null && (!isNew(above) || finished.has(above))) remove(node)
      continue
    }
    if (!wanted.has(entry)) continue
    if (isAppearance(entry.kind)) {
      if (entry.kind !== 'restore') remove(node)
      // It goes back by the deletion, if that is taken back as well.
      else if (node.entries.some((one) => one.id === entry.kept?.id && wanted.has(one))) kept.set(node, entry)
      else removeAgain(node, entry)
    } else if (entry.kind === 'replace') takeBackContent(node, entry)
    else if (before !== null) moveBack(node, entry, before)
  }
  return steps
}

function isAppearance(kind: JournalEntry['kind']): boolean {
  return kind === 'create' || kind === 'copy' || kind === 'restore'
}

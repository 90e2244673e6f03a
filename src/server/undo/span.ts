import { type FilePath, joinPath, nameOf, parentOf, ROOT, segmentsOf } from '../../shared/file-path.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import { type Event, eventsOf } from './events.ts'

/** A node of a span of the journal. Two places of it are known while the span is read from its end: in the past that is reached, and on the disk. */
export interface Node {
  /** In the past; null for the root, and where it did not exist. */
  parent: Node | null
  name: string
  /** Of those that any operation touches. */
  readonly children: Map<string, Node>
  /** On the disk, as soon as the steps so far are done; null for the root, and where it is not there. */
  diskParent: Node | null
  diskName: string
  readonly diskChildren: Map<string, Node>
  /** The event by which it is out of sight now; null if it is not. */
  readonly away: Event | null
  /** The event of the span by which it appeared. */
  born: Event | null
  /** Everything that was in it at any time of the span. */
  readonly contained: Set<Node>
  /** Events of the span on the node itself, the newest first. */
  readonly events: Event[]
}

export interface Place {
  readonly parent: Node
  readonly name: string
}

/** One event of a span, and the node that it changed. */
export interface Change {
  readonly event: Event
  readonly node: Node
  /** Where the node was before, if it was anywhere. */
  readonly before: Place | null
  /** Whether the node was strictly below the folder in question, before or afterwards. */
  readonly isInside: boolean
}

export interface Span {
  /** The newest first. */
  readonly changes: readonly Change[]
  readonly root: Node
}

/**
 * Reads operations from the last to the first, and finds which of them are of the same node, whatever moved in between.
 * @param entries the oldest first
 * @param folder where the folder in question is now; everything is inside of the root
 */
export function spanOf(entries: readonly JournalEntry[], folder: FilePath = ROOT): Span {
  const span = readSpan(entries, folder, () => false)
  const split = splitEntries(span.changes)
  return split.size === 0 ? span : readSpan(entries, folder, (entry) => split.has(entry))
}

function readSpan(entries: readonly JournalEntry[], folder: FilePath, isSplit: (entry: JournalEntry) => boolean): Span {
  const root = newNode(null, '')
  /** By what it is found again. */
  const away = new Map<string, Node>()
  const changes: Change[] = []

  function find(path: FilePath): Node {
    let node = root
    for (const name of segmentsOf(path)) {
      const next = node.children.get(name) ?? newNode(node, name)
      attach(next, node, name)
      node = next
    }
    return node
  }

  const top = find(folder)
  const isInside = (node: Node): boolean => {
    for (let above = node.parent; above !== null; above = above.parent) if (above === top) return true
    return false
  }
  const goneBy = (event: Event): Node => (event.key === null ? undefined : away.get(event.key)) ?? newNode(null, nameOf(event.path), event)

  function read(event: Event): void {
    const { kind, path, origin, key } = event
    const node = kind === 'go' ? goneBy(event) : find(path)
    const was = isInside(node)
    node.events.push(event)
    let before: Change['before'] = null
    if (kind !== 'content') {
      detach(node)
      const place = kind === 'go' ? path : origin
      if (place !== null && place !== ROOT) {
        before = { parent: find(parentOf(place)), name: nameOf(place) }
        attach(node, before.parent, before.name)
      }
      if (kind === 'back' && key !== null) away.set(key, node)
      if (kind === 'appear') node.born = event
    }
    changes.push({ event, node, before, isInside: was || isInside(node) })
  }

  const again = madeAgain(entries)
  for (const entry of entries.toReversed()) {
    if (entry.path === ROOT) continue
    const events = eventsOf(entry, isSplit).toReversed()
    for (const event of events) read(again.has(entry) ? { ...event, kind: 'move', origin: event.path } : event)
  }
  return { changes, root }
}

/**
 * What made a node that had been made already, and so left it where it was: of two who made a folder at the same time, one did, but earlier versions of
 * recovery did not know that after a crash.
 */
function madeAgain(entries: readonly JournalEntry[]): ReadonlySet<JournalEntry> {
  const made = new Set<string>()
  return new Set(
    entries.filter(({ kind, path, identity, restored }) => {
      const node = `${identity} ${path}`
      if (kind === 'delete') made.delete(node)
      if ((kind !== 'create' && kind !== 'copy') || restored !== null || identity === '') return false
      if (made.has(node)) return true
      made.add(node)
      return false
    }),
  )
}

/**
 * The replacements of files of which a content became, or had been, a file of its own or the content of another one: a version of a file holds what was moved
 * over, and may be restored as its content. Each content of these files is a node of its own then.
 */
function splitEntries(changes: readonly Change[]): ReadonlySet<JournalEntry> {
  /** By the version that kept it, and whether it was a content of a file that stayed. */
  const makers = new Map<string, { readonly node: Node; readonly isContent: boolean }>()
  for (const { event, node } of changes) {
    const { version } = event.entry
    const isContent = event.kind === 'content'
    if (version !== null && (isContent || event.key === version)) makers.set(version, { node, isContent })
  }
  const mixed = new Set<Node>()
  for (const { event, node } of changes) {
    const { restored } = event.entry
    const maker = restored === null ? undefined : makers.get(restored.version)
    const isContent = event.kind === 'content'
    if (maker === undefined || (!isContent && event.kind !== 'back')) continue
    if (maker.isContent !== isContent || maker.node !== node) mixed.add(maker.node).add(node)
  }
  return new Set(changes.flatMap(({ event, node }) => (event.kind === 'content' && mixed.has(node) ? [event.entry] : [])))
}

function newNode(parent: Node | null, name: string, away: Event | null = null): Node {
  const tree = { children: new Map<string, Node>(), diskChildren: new Map<string, Node>() }
  const node: Node = { ...tree, parent, name, diskParent: parent, diskName: name, born: null, contained: new Set(), events: [], away }
  parent?.diskChildren.set(name, node)
  return node
}

function attach(node: Node, parent: Node, name: string): void {
  node.parent = parent
  node.name = name
  parent.children.set(name, node)
  parent.contained.add(node)
}

function detach(node: Node): void {
  if (node.parent?.children.get(node.name) === node) node.parent.children.delete(node.name)
  node.parent = null
}

/** On the disk; null if it is nowhere. */
export function placeOf({ diskParent: parent, diskName: name }: Node): Place | null {
  return parent === null ? null : { parent, name }
}

/** Null if it is not there, or what it is in is not. */
export function diskPathOf(node: Node, root: Node): FilePath | null {
  if (node === root) return ROOT
  const above = node.diskParent === null ? null : diskPathOf(node.diskParent, root)
  return above === null ? null : joinPath(above, node.diskName)
}

/** @param to null if it is not on the disk any more */
export function setDiskPlace(node: Node, to: Place | null): void {
  if (node.diskParent?.diskChildren.get(node.diskName) === node) node.diskParent.diskChildren.delete(node.diskName)
  node.diskParent = to?.parent ?? null
  if (to === null) return
  node.diskName = to.name
  to.parent.diskChildren.set(to.name, node)
}

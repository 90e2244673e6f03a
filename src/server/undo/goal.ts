import type { JournalEntry } from '../journal/operation-row.ts'
import type { Event } from './events.ts'
import { type Change, type Node, type Place, placeOf, type Span } from './span.ts'

/** Where everything is to be in the end. */
export interface Goal {
  readonly wanted: ReadonlySet<Event>
  /** It appeared by what is taken back. */
  readonly isNew: (node: Node) => boolean
  /** The same, and so did everything that was ever in it. */
  readonly isOwn: (node: Node) => boolean
  /** Of nodes that something happened to; null for those that are not to be there. */
  readonly places: ReadonlyMap<Node, Place | null>
}

/** @param wants which operations are taken back; the others still tell where nodes are */
export function goalOf({ changes, root }: Span, wants: (entry: JournalEntry) => boolean): Goal {
  const wanted = new Set(changes.flatMap(({ event, isInside }) => (isInside && wants(event.entry) ? [event] : [])))
  const isNew = (node: Node): boolean => node.born !== null && wanted.has(node.born)
  const others = withOthers(root, changes, isNew)
  const isOwn = (node: Node): boolean => isNew(node) && !others.has(node)
  const places = new Map<Node, Place | null>(changes.map(({ node }) => [node, placeOf(node)]))
  const gone = new Set<Node>()
  for (const { event, node, before } of changes) {
    if (!isOwn(node) && (!wanted.has(event) || event.kind === 'content')) continue
    const place = isOwn(node) ? null : before
    places.set(node, place)
    if (place === null) gone.add(node)
    else gone.delete(node)
  }
  // What was in a copy, or in the trash, is not there without that.
  for (const node of Array.from(places.keys()).filter(isInGone)) places.set(node, null)
  return { wanted, isNew, isOwn, places }

  function isInGone(node: Node): boolean {
    const seen = new Set<Node>()
    for (let above: Node | undefined = node; above !== undefined && !seen.has(above);) {
      if (gone.has(above)) return true
      seen.add(above)
      above = (places.has(above) ? places.get(above) : placeOf(above))?.parent
    }
    return false
  }
}

export function isSamePlace(one: Place | null, other: Place | null): boolean {
  return one === null || other === null ? one === other : one.parent === other.parent && one.name === other.name
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

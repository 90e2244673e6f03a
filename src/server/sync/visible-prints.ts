import { type FilePath, nameOf, parentOf, pathFrom } from '../../shared/file-path.ts'
import { createLru } from '../../shared/lru.ts'
import type { SubtreeView } from '../drive/subtree-view.ts'
import type { Fingerprints, IndexedNode, TreeIndex } from '../index/tree-index.ts'
import { visibleBelow } from '../sizes/visible-below.ts'

/** Texts of some bytes: one for each folder that was asked for and each folder in it. */
const REMEMBERED = 100_000

export interface VisiblePrintsOptions {
  /** Of the viewer's access: what was computed for one is not told to another. */
  readonly mark: string
  /** Whether those of the folders in it are needed. */
  readonly children: boolean
  readonly signal: AbortSignal
}

/**
 * Fingerprints of a folder and of the folders in it that depend only on what their viewer may see, so that nobody learns of changes in what is denied to
 * them. If something below could be denied, visible nodes are looked at one by one, and the result is kept until anything below changes.
 */
export function createVisiblePrints(index: TreeIndex) {
  const kept = createLru<string, Fingerprints>(REMEMBERED, { sizeOf: ({ children }) => 1 + children.size })

  return async (subtree: SubtreeView, { mark, children, signal }: VisiblePrintsOptions): Promise<Fingerprints | null> => {
    const all = await index.fingerprints(subtree.node, { children })
    if (all === null || isWhole(subtree, subtree.node)) return all
    const key = new Bun.CryptoHasher('sha256').update(JSON.stringify([mark, subtree.node, all.own])).digest('base64')
    const known = kept.get(key)
    if (known !== undefined) return known
    const found = await printsOf(index, subtree, signal)
    // Of what changed meanwhile nobody knows which state was seen.
    if (found === null || (await index.fingerprints(subtree.node, { children: false }))?.own !== all.own) return null
    kept.set(key, found)
    return found
  }
}

/** Whether everything below is visible. Dotfiles that a person does not want to see are no secret. */
function isWhole(subtree: SubtreeView, folder: FilePath): boolean {
  return subtree.shownBelow(folder) !== 'unknown'
}

async function printsOf(index: TreeIndex, subtree: SubtreeView, signal: AbortSignal): Promise<Fingerprints | null> {
  const skips = ({ path }: IndexedNode): boolean => isWhole(subtree, path)
  const nodes = await visibleBelow(index, subtree, { signal, skips })
  if (nodes === null) return null
  const wholeIn = new Map<FilePath, Fingerprints | null>()
  /** Of a folder in which everything is visible; those in one folder are asked for together. */
  async function wholePrint(path: FilePath): Promise<string | null> {
    const parent = parentOf(path)
    if (!wholeIn.has(parent)) wholeIn.set(parent, await index.fingerprints(parent, { children: true }))
    return wholeIn.get(parent)?.children.get(nameOf(path)) ?? null
  }
  let own = 0n
  const wholeChildren = new Map<string, string>()
  const children = new Map<string, bigint>()
  for await (const { path, kind, size, modified } of nodes) {
    const isWholeFolder = kind === 'folder' && isWhole(subtree, path)
    const print = isWholeFolder ? await wholePrint(path) : ''
    if (print === null) return null
    const inside = pathFrom(subtree.node, path) ?? path
    const what = kind === 'folder' ? `${kind} ${print}` : `${kind} ${size} ${modified}`
    own += Bun.hash(`${inside} ${what}`)
    const [, child = '', deeper] = /^\/([^/]*)(\/.*)?$/s.exec(inside) ?? []
    if (deeper !== undefined) children.set(child, (children.get(child) ?? 0n) + Bun.hash(`${deeper} ${what}`))
    else if (isWholeFolder) wholeChildren.set(child, print)
    else if (kind === 'folder') children.set(child, children.get(child) ?? 0n)
  }
  // The same for each as if it had been asked for itself.
  for (const [name, sum] of children) wholeChildren.set(name, textOf(sum))
  return { own: textOf(own), children: wholeChildren }
}

function textOf(sum: bigint): string {
  return `v${BigInt.asUintN(64, sum).toString(16)}`
}

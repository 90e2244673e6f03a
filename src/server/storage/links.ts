import { fail } from '../../shared/errors.ts'
import { type FilePath, isWithin, joinPath, parentOf, segmentsOf, bytesToName } from '../../shared/file-path.ts'
import { isPrivateName } from './private-name.ts'
import type { FindOptions, NodeKind } from './storage.ts'
import { readlinkSync } from 'node:fs'
import type { LinkLook } from './disk-calls.ts'
import { descriptorPath } from './proc-paths.ts'

const MAX_HOPS = 40

/** A node on a walk. `target` is that of a link, relative or absolute from the storage's root; null if it is outside. */
export interface InspectedNode {
  readonly kind: NodeKind
  readonly target: string | null
  /** The name that its folder lists, if requested; null if the folder lists none for it. */
  readonly name?: string | null
}

/** Resolves links for `Storage.find`, for any adapter that can inspect one node without following it. */
export async function resolveLinks(
  path: FilePath,
  { within, leaf, passes = () => true }: FindOptions,
  look: (path: FilePath) => InspectedNode | null | Promise<InspectedNode | null>,
): Promise<FilePath> {
  if (!isWithin(path, within)) fail('not-found', {})
  let at = within
  let hops = 0
  const ahead = segmentsOf(path).slice(segmentsOf(within).length)
  while (ahead.length > 0) {
    const segment = ahead.shift() ?? ''
    if (segment === '' || segment === '.') continue
    if (segment === '..') {
      if (at === within || !passes(at)) fail('not-found', {})
      at = parentOf(at)
      continue
    }
    if (isPrivateName(segment)) fail('not-found', {})
    const next = joinPath(at, segment)
    const found = await look(next)
    if (found?.kind === 'link' && (ahead.length > 0 || leaf === 'follow')) {
      if (++hops > MAX_HOPS || found.target === null || !passes(linkAt(at, segment, found.name))) fail('not-found', {})
      const absolute = found.target.startsWith('/')
      if (absolute) at = within
      ahead.unshift(...(absolute ? belowScope(found.target, within) : found.target.split('/')))
      continue
    }
    if (found?.kind !== 'folder' && ahead.length > 0) fail('not-found', {})
    if (found?.name === null) fail('not-found', {})
    at = found?.name === undefined ? next : joinPath(at, found.name)
  }
  return at
}

/** The path of a link, with the name that its folder lists if known. */
function linkAt(folder: FilePath, segment: string, listed: string | null | undefined): FilePath {
  return joinPath(folder, listed ?? segment)
}

/** An absolute target from the storage's root, as segments from `within`. */
function belowScope(target: string, within: FilePath): string[] {
  const segments = target.split('/').filter((segment) => segment !== '' && segment !== '.')
  const scope = segmentsOf(within)
  return scope.every((segment, index) => segments[index] === segment) ? segments.slice(scope.length) : fail('not-found', {})
}

/** Makes an absolute target of the machine one from the storage's root, or null if it is outside. */
export function inspectedNodeFrom(root: { readonly fd: number }, look: LinkLook | null): InspectedNode | null {
  if (look === null || !look.target?.startsWith('/')) return look
  const { target } = look
  const base = bytesToName(readlinkSync(descriptorPath(root.fd), { encoding: 'buffer' }))
  const isBelow = target === base || target.startsWith(`${base}/`)
  return { ...look, target: isBelow ? target.slice(base.length) || '/' : null }
}

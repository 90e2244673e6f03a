import { fail } from '../../../shared/errors.ts'
import { type FilePath, nameOf, ROOT } from '../../../shared/file-path.ts'
import { checkStagedId, refusePrivate } from '../private-name.ts'
import { type Kept, type KeptStat, pathOf, type RestoreKeptOptions, type Storage, type Where } from '../storage.ts'
import { type Claim, keptClaim } from './claims.ts'
import type { Copying } from './copying.ts'
import { withS3Errors } from './failures.ts'
import type { Keys } from './keys.ts'
import type { Moves } from './moves.ts'
import { type Nodes, statOfFolder, statOfObject } from './nodes.ts'
import type { S3Object, S3Objects } from './objects.ts'
import type { Pending } from './pending.ts'

export interface KeptDeps {
  readonly objects: S3Objects
  readonly copying: Copying
  readonly moves: Moves
  readonly keys: Keys
  readonly nodes: Nodes
  readonly pending: Pending
  readonly claim: Claim
  /** Whether a node may come to a name, after the rules of `Storage.move`; what a file replaces. */
  readonly placeFor: (where: Where, kind: 'file' | 'folder', replace: boolean) => Promise<S3Object | null>
}

type S3Kept = Pick<
  Storage,
  'keepingVolume' | 'keep' | 'statKept' | 'resetKept' | 'listKept' | 'openKept' | 'restoreKept' | 'dropKept' | 'keptNodes'
>

/** A kept node: its key below the private prefix, or its prefix. */
interface Found {
  readonly stat: KeptStat
  readonly object: S3Object | null
  /** Ends with a slash for a folder. */
  readonly key: string
}

const AWAY_SECONDS = 10
const REMOVED_TOGETHER = 1000

/** The key at which a file is kept under an id; null if the volume is another one. Fails with `already-exists` if the id is used. */
export async function keptKeyFor({ objects, keys }: Pick<KeptDeps, 'objects' | 'keys'>, kept: Kept, name: string): Promise<string | null> {
  if (kept.volume !== ROOT) return null
  const prefix = keys.hidden(`${kept.area}/${kept.id}/`)
  if (await objects.isAny(prefix)) fail('already-exists', { path: ROOT })
  return prefix + name
}

/**
 * The methods of an S3 storage for kept nodes: `.satchel/AREA/ID/NAME`. An empty object with the key `.satchel/AREA/ID/` marks one that is being
 * dropped.
 */
export function createS3Kept(deps: KeptDeps, open: (object: S3Object) => ReturnType<Storage['openKept']>): S3Kept {
  const { objects, copying, moves, keys, nodes, pending, claim, placeFor } = deps

  function prefixOf({ area, volume, id }: Kept): string {
    checkStagedId(id)
    if (volume !== ROOT) fail('storage-busy', { retryAfterSeconds: AWAY_SECONDS })
    return keys.hidden(`${area}/${id}/`)
  }

  async function find(kept: Kept): Promise<Found | null> {
    const prefix = prefixOf(kept)
    for await (const page of objects.pages(prefix, { most: 2 })) {
      const [object] = page.objects
      const [folder] = page.prefixes
      if (object?.key === prefix) return null
      if (object !== undefined) return { stat: { ...statOfObject(object), name: object.key.slice(prefix.length) }, object, key: object.key }
      if (folder === undefined || pending.isHidden(folder)) return null
      return { stat: { ...statOfFolder(folder), name: folder.slice(prefix.length, -1) }, object: null, key: folder }
    }
    return null
  }

  /** The key of a path below a kept node, without a slash at its end. */
  async function keyBelow(kept: Kept, path: FilePath): Promise<string> {
    refusePrivate(path)
    const { key, object } = (await find(kept)) ?? fail('not-found', {})
    if (object !== null && path !== ROOT) fail('not-found', {})
    return object === null ? `${key.slice(0, -1)}${path === ROOT ? '' : path}` : key
  }

  async function keep(where: Where, kept: Kept): ReturnType<Storage['keep']> {
    const path = pathOf(where)
    const node = (await nodes.at(path)) ?? fail('not-found', {})
    if (kept.volume !== ROOT) return null
    const key = (await keptKeyFor(deps, kept, nameOf(path))) ?? fail('not-found', {})
    if (node.kind === 'file') {
      await copying.copy(node.object, key)
      await objects.remove(node.object.key)
    } else await moves.move(keys.folder(path), `${key}/`)
    nodes.unmarked(keys.folder(path))
    await nodes.keepFolder(path)
    return node.stat
  }

  async function restore(kept: Kept, where: Where, { replace, keep: keepOld }: RestoreKeptOptions): Promise<boolean> {
    const path = pathOf(where)
    const found = (await find(kept)) ?? fail('not-found', {})
    const old = await placeFor(where, found.object === null ? 'folder' : 'file', replace)
    if (old !== null && keepOld !== undefined) {
      const key = await keptKeyFor(deps, keepOld, nameOf(path))
      if (key !== null) await copying.copy(old, key)
    }
    if (found.object === null) await moves.move(found.key, keys.folder(path))
    else {
      await copying.copy(found.object, keys.file(path), { isNew: !replace })
      await objects.remove(found.key)
    }
    return true
  }

  async function dropAll(
    prefix: string,
    onProgress: ((removed: number) => void) | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    let removed = 0
    let batch: string[] = []
    const flush = async (): Promise<void> => {
      signal?.throwIfAborted()
      await objects.removeMany(batch)
      removed += batch.length
      batch = []
      if (removed > 0) onProgress?.(removed)
    }
    for await (const page of objects.pages(prefix, { flat: true, ...(signal && { signal }) })) {
      batch.push(...page.objects.map(({ key }) => key).filter((key) => key !== prefix))
      if (batch.length >= REMOVED_TOGETHER) await flush()
    }
    await flush()
  }

  return {
    keepingVolume: (where) =>
      withS3Errors(pathOf(where), async () => {
        const path = pathOf(where)
        return path === ROOT || (await nodes.at(path)) === null ? null : ROOT
      }),
    keep: (where, kept) =>
      withS3Errors(pathOf(where), async () => {
        const path = pathOf(where)
        checkStagedId(kept.id)
        refusePrivate(path)
        if (path === ROOT) fail('busy', {})
        pending.refuse(keys.file(path))
        return await claim([path, keptClaim(kept)], () => keep(where, kept))
      }),
    statKept: (kept) => withS3Errors(ROOT, async () => (await find(kept))?.stat ?? null),
    resetKept: (kept) =>
      withS3Errors(ROOT, async () => {
        // An object has no mode, and its time is that of the service.
        prefixOf(kept)
      }),
    listKept: (kept, path) =>
      withS3Errors(ROOT, async () => (await nodes.listKeys(`${await keyBelow(kept, path)}/`)) ?? fail('not-found', {})),
    openKept: (kept, path) =>
      withS3Errors(ROOT, async () => open((await objects.head(await keyBelow(kept, path))) ?? fail('not-found', {}))),
    restoreKept: (kept, where, options) =>
      withS3Errors(pathOf(where), async () => {
        const path = pathOf(where)
        prefixOf(kept)
        if (options.keep !== undefined) checkStagedId(options.keep.id)
        if (path !== ROOT) pending.refuse(keys.file(path))
        const claims = [path, keptClaim(kept), ...(options.keep === undefined ? [] : [keptClaim(options.keep)])]
        return await claim(claims, () => restore(kept, where, options))
      }),
    dropKept: (kept, { signal, onProgress } = {}) =>
      withS3Errors(ROOT, async () => {
        signal?.throwIfAborted()
        const prefix = prefixOf(kept)
        pending.refuse(prefix)
        await claim([keptClaim(kept)], async () => {
          const found = await find(kept)
          if (found?.object === null) await objects.put(prefix, new Uint8Array(0))
          await dropAll(prefix, onProgress, signal)
          await objects.remove(prefix)
        })
      }),
    keptNodes: (area) =>
      withS3Errors(ROOT, async () => {
        const found: Kept[] = []
        const prefix = keys.hidden(`${area}/`)
        for await (const page of objects.pages(prefix)) {
          found.push(...page.prefixes.map((name) => ({ area, volume: ROOT, id: name.slice(prefix.length, -1) })))
        }
        return found
      }),
  }
}

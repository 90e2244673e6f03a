import { nullOn } from '../../shared/errors.ts'
import { type FilePath, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import type { NewIdentity, Observer } from '../drive/observed-drive.ts'
import type { Operation } from '../drive/operation.ts'
import type { Drive } from '../drive/drive.ts'
import { resolvedPathOf, resolveParent } from '../drive/resolve-parent.ts'
import { isObjectOf, objectAt } from './shared-object.ts'
import type { Share, ShareStore } from './store.ts'

interface Touched {
  /** The path that the operation removes or acts on; null if it only adds. */
  readonly from: FilePath | null
  readonly leaving: readonly Share[]
  /** Links whose node is about to get a new version in place. */
  readonly staying: readonly Share[]
}

/**
 * Keeps links in step with their nodes: a rename moves them, a save or an overwrite gives them the new version, a deletion ends them, until the node
 * is restored from the trash. Only links that were valid before the operation; a link whose node has gone is not revived by a new node.
 */
export function followOperations({ store, systemDrive }: { store: ShareStore; systemDrive: Drive }) {
  const touchedBy = new WeakMap<Operation, Touched>()

  const identityAt = (place: FilePath, { make } = { make: false }): Promise<string | null> =>
    nullOn('not-found', objectAt(systemDrive, place, { make }))
  const alive = async (shares: readonly Share[]): Promise<Share[]> => {
    const found: Share[] = []
    for (const share of shares) if (isObjectOf(share, await identityAt(share.place))) found.push(share)
    return found
  }

  async function rebind(share: Share, place: FilePath): Promise<void> {
    const identity = await identityAt(place, { make: true })
    if (identity !== null && (identity !== share.identity || place !== share.place)) await store.rebind(share.hash, { place, identity })
  }

  /** Both versions belong to the link until the operation has ended: if the server dies before, one of them exists. */
  async function expectAt(written: FilePath, staying: readonly Share[], newIdentity: NewIdentity): Promise<void> {
    const same = staying.filter(({ place, folder }) => place === written && !folder)
    const next = same.length === 0 ? null : await newIdentity()
    if (next === null) return
    const current = await identityAt(written)
    for (const { hash, place } of same) await store.rebind(hash, { place, identity: `${current} ${next}` })
  }

  /** `from`: where the node was when it was deleted; storage paths. */
  async function revive(trashed: string, from: FilePath, to: FilePath): Promise<void> {
    for (const { hash, place } of await store.inTrash(trashed)) await store.revive(hash, placeUnder(to, pathFrom(from, place) ?? ROOT))
  }

  const observer: Observer = {
    async before(operation, newIdentity) {
      const written =
        operation.kind === 'delete'
          ? null
          : await nullOn('not-found', systemDrive.place(inStorage(operation.access, targetOf(operation)), 'follow'))
      const source = operation.kind === 'delete' ? operation.path : operation.kind === 'rename' ? operation.from : null
      const from = source === null ? null : await nullOn('not-found', resolveParent(systemDrive, inStorage(operation.access, source)))
      const staying = written === null ? [] : await alive(await store.below(written))
      touchedBy.set(operation, { from, leaving: from === null ? [] : await alive(await store.below(from)), staying })
      if (written !== null) await expectAt(written, staying, newIdentity)
    },

    async onError(operation, started) {
      if (operation.kind !== 'save' && operation.kind !== 'upload') return
      for (const share of touchedBy.get(started)?.staying ?? []) {
        const now = await store.ofHash(share.hash)
        if (now === null || now.identity === share.identity) continue
        const found = await identityAt(share.place)
        const identity = found !== null && isObjectOf(now, found) ? found : share.identity
        await store.rebind(share.hash, { place: share.place, identity })
      }
    },

    async after(operation, started) {
      const touched = touchedBy.get(started)
      if (touched === undefined) return
      if (operation.kind === 'delete') {
        const hashes = touched.leaving.map(({ hash }) => hash)
        return operation.trashed === null ? store.remove(hashes) : store.suspend(hashes, operation.trashed)
      }
      for (const share of touched.staying) await rebind(share, share.place)
      if (operation.kind === 'restore') {
        const { id, place } = operation.node
        return revive(id, place, await resolvedPathOf(systemDrive, operation, operation.path))
      }
      if (operation.kind !== 'rename' || touched.from === null) return
      const to = await resolvedPathOf(systemDrive, operation, operation.to)
      for (const share of touched.leaving) await rebind(share, placeUnder(to, pathFrom(touched.from, share.place) ?? ROOT))
    },
  }

  return {
    observer,
    /** What moves do to links, for those that a server that died did not finish. */
    moveFollower: {
      /** Those of nodes that are where the move has put them, or on their way from there. */
      async moved({ path, origin }: { path: FilePath; origin: FilePath }): Promise<void> {
        const below = (await store.below(origin)).filter(({ trashed }) => trashed === '')
        const valid = new Set(await alive(below))
        for (const share of below.filter((one) => !valid.has(one))) {
          const place = placeUnder(path, pathFrom(origin, share.place) ?? ROOT)
          const found = await identityAt(place)
          if (found === null) await store.rebind(share.hash, { place, identity: share.identity })
          else if (isObjectOf(share, found)) await rebind(share, place)
        }
      },
    },
    /** What nodes in the trash do to links, for what a server that died did not finish. */
    trashFollower: {
      async lost({ id, path }: { id: string; path: FilePath }): Promise<void> {
        const below = (await store.below(path)).filter(({ trashed }) => trashed === '')
        const valid = new Set(await alive(below))
        await store.suspend(
          below.filter((share) => !valid.has(share)).map(({ hash }) => hash),
          id,
        )
      },
      found: ({ id, path }: { id: string; path: FilePath }, to: FilePath): Promise<void> => revive(id, path, to),
      purged: async ({ id }: { id: string }): Promise<void> => store.remove((await store.inTrash(id)).map(({ hash }) => hash)),
    },
  }
}

function targetOf(operation: Exclude<Operation, { kind: 'delete' }>): FilePath {
  return operation.kind === 'copy' || operation.kind === 'rename' ? operation.to : operation.path
}

import { isAppError } from '../../shared/errors.ts'
import { type FilePath, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import type { Deed, Fresh, Observer } from '../drive/announce.ts'
import type { Drive } from '../drive/drive.ts'
import { leafPlace } from '../drive/leaf-place.ts'
import { isObjectOf, objectAt } from './shared-object.ts'
import type { Share, ShareStore } from './store.ts'

/** Links affected by an operation, as they were before it. */
interface Touched {
  /** The path that the operation removes or acts on; null if it only adds. */
  readonly from: FilePath | null
  readonly leaving: readonly Share[]
  /** Links whose node is about to get a new version in place. */
  readonly staying: readonly Share[]
}

/**
 * Keeps links in step with their nodes: a rename moves them, a save or an overwrite gives them the new version, a deletion ends them. Only links that
 * were valid before the operation; a link whose node has gone is not revived by a new node.
 */
export function followOperations({ store, systemDrive }: { store: ShareStore; systemDrive: Drive }): Observer {
  const begun = new WeakMap<Deed, Touched>()

  const identityAt = async (place: FilePath, { make }: { make: boolean } = { make: false }): Promise<string | null> => {
    try {
      return await objectAt(systemDrive, place, { make })
    } catch (error) {
      if (isAppError(error, 'not-found')) return null
      throw error
    }
  }
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
  async function expectAt(written: FilePath, staying: readonly Share[], fresh: Fresh): Promise<void> {
    const same = staying.filter(({ place, folder }) => place === written && !folder)
    const next = same.length === 0 ? null : await fresh()
    if (next === null) return
    const standing = await identityAt(written)
    for (const { hash, place } of same) await store.rebind(hash, { place, identity: `${standing} ${next}` })
  }

  return {
    async before(operation, fresh) {
      const written =
        operation.kind === 'delete' ? null : await orNull(systemDrive.place(inStorage(operation.access, targetOf(operation)), 'follow'))
      const source = operation.kind === 'delete' ? operation.path : operation.kind === 'rename' ? operation.from : null
      const from = source === null ? null : await orNull(leafPlace(systemDrive, inStorage(operation.access, source)))
      const staying = written === null ? [] : await alive(await store.below(written))
      begun.set(operation, { from, leaving: from === null ? [] : await alive(await store.below(from)), staying })
      if (written !== null) await expectAt(written, staying, fresh)
    },

    async broken(operation, asBegun) {
      if (operation.kind !== 'save' && operation.kind !== 'upload') return
      for (const share of begun.get(asBegun)?.staying ?? []) {
        const now = await store.find(share.hash)
        if (now === null || now.identity === share.identity) continue
        const found = await identityAt(share.place)
        const identity = found !== null && isObjectOf(now, found) ? found : share.identity
        await store.rebind(share.hash, { place: share.place, identity })
      }
    },

    async after(operation, asBegun) {
      const touched = begun.get(asBegun)
      if (touched === undefined) return
      if (operation.kind === 'delete') return store.remove(touched.leaving.map(({ hash }) => hash))
      for (const share of touched.staying) await rebind(share, share.place)
      if (operation.kind !== 'rename' || touched.from === null) return
      const to = await leafPlace(systemDrive, inStorage(operation.access, operation.to))
      for (const share of touched.leaving) await rebind(share, placeUnder(to, pathFrom(touched.from, share.place) ?? ROOT))
    },
  }
}

function targetOf(operation: Exclude<Deed, { kind: 'delete' }>): FilePath {
  return operation.kind === 'copy' || operation.kind === 'rename' ? operation.to : operation.path
}

/** Nothing shared is below a path that does not exist yet. */
async function orNull(place: Promise<FilePath>): Promise<FilePath | null> {
  try {
    return await place
  } catch (error) {
    if (isAppError(error, 'not-found')) return null
    throw error
  }
}

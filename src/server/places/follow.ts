import { isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import type { Deed, Observer } from '../drive/announce.ts'
import type { Drive } from '../drive/drive.ts'
import { leafPlace } from '../drive/leaf-place.ts'
import type { Gathered } from './gather.ts'
import type { PlaceStore } from './store.ts'

export interface FollowDeps {
  readonly store: Pick<PlaceStore, 'moved' | 'removed'>
  readonly gathered: Pick<Gathered, 'settled'>
  readonly house: Drive
}

/**
 * Takes favourites and recent files along where something is renamed or moved here, and forgets them where it is deleted. Unlike links they name a
 * place, not an object: a new version is still the same favourite, whoever wrote it, and by what program.
 */
export function followPlaces({ store, gathered, house }: FollowDeps): Observer {
  const placeOf = (deed: Deed, path: FilePath) => leafPlace(house, inStorage(deed.access, path))
  return {
    async after(deed) {
      if (deed.kind !== 'rename' && deed.kind !== 'delete') return
      try {
        await gathered.settled()
        if (deed.kind === 'delete') await store.removed(await placeOf(deed, deed.path))
        else await store.moved(await placeOf(deed, deed.from), await placeOf(deed, deed.to))
      } catch (error) {
        // The folder around it has gone in the meantime, and what was told of that took everything below along.
        if (!isAppError(error, 'not-found')) throw error
      }
    },
  }
}

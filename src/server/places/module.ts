import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Drive } from '../drive/drive.ts'
import { followPlaces } from './follow.ts'
import { gatherVisits } from './gather.ts'
import { createPlaces, type PlacesDeps } from './places.ts'
import { createPlaceStore } from './store.ts'

export interface PlacesModuleOptions extends Pick<PlacesDeps, 'driveFor' | 'clock'> {
  readonly db: Kysely<Schema>
  readonly house: Drive
  readonly log: (line: string) => void
}

/** Favourites and recent files. */
export function createPlacesModule({ db, house, driveFor, clock, log }: PlacesModuleOptions) {
  const store = createPlaceStore(db)
  const gathered = gatherVisits({ store, log })
  return {
    services: { places: createPlaces({ store, gathered, driveFor, clock }) },
    observer: followPlaces({ store, gathered, house }),
    sweeps: { favourites: () => store.sweep() },
    stop: () => gathered.settled(),
  }
}

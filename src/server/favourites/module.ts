import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Drive } from '../drive/drive.ts'
import { followRenames } from './follow-renames.ts'
import { createVisitBuffer } from './visit-buffer.ts'
import { createFavourites, type FavouritesDeps } from './favourites.ts'
import { createFavouriteStore } from './store.ts'

export interface FavouritesModuleOptions extends Pick<FavouritesDeps, 'driveFor' | 'clock'> {
  readonly db: Kysely<Schema>
  readonly systemDrive: Drive
  readonly log: (line: string) => void
}

export function createFavouritesModule({ db, systemDrive, driveFor, clock, log }: FavouritesModuleOptions) {
  const store = createFavouriteStore(db)
  const visitBuffer = createVisitBuffer({ store, log })
  return {
    services: { favourites: createFavourites({ store, visitBuffer, driveFor, clock }) },
    ...followRenames({ store, visitBuffer, systemDrive }),
    sweeps: { favourites: () => store.sweep() },
    stop: () => visitBuffer.settled(),
  }
}

import { ROOT, type FilePath } from '../shared/file-path.ts'
import { inStorage } from './access/access.ts'
import type { Bus } from './bus/bus.ts'
import { type Observer } from './drive/observed-drive.ts'
import type { Operation } from './drive/operation.ts'
import type { ServerState } from './http/health.ts'
import { type Drive } from './drive/drive.ts'
import { exists } from './drive/exists.ts'
import type { Storage } from './storage/storage.ts'
import type { SweepDeps } from './uploads/sweep.ts'
import type { Homes } from './users/provision.ts'
import type { Kysely } from 'kysely'
import { probe } from './db/database.ts'
import type { Schema } from './db/schema.ts'
import { isDoctorPass } from './settings/doctor-pass.ts'

/** Home folders of new accounts. */
export function homesOn(drive: Drive, bus: Bus): Homes {
  return {
    async make(path) {
      await drive.makeFolder(path)
      bus.announce('files.changed', { storagePaths: [path] })
    },
    isThere: (path) => exists(drive, path),
  }
}

/** What is known of uploads that are not published, by their id. */
export function stagingOn(storage: Storage): SweepDeps['staging'] {
  const staged = (id: string) => storage.stage(id, { near: ROOT })
  return {
    staged: () => storage.staged(),
    size: (id) => staged(id).size(),
    changed: (id) => staged(id).changed(),
    discard: (id) => staged(id).discard(),
  }
}

/** Announces users' operations on the bus, for disks that report no changes. */
export function announceChanges(bus: Bus): Observer {
  const tell = (operation: Operation): void =>
    bus.announce('files.changed', { storagePaths: storagePathsOf(operation).map((path) => inStorage(operation.access, path)) })
  return { after: tell, onError: tell }
}

function storagePathsOf(operation: Operation): readonly FilePath[] {
  if (operation.kind === 'copy') return [operation.to]
  if (operation.kind === 'rename') return [operation.from, operation.to]
  return [operation.path]
}

export function checksOf(db: Kysely<Schema>, clock: () => Date) {
  return {
    /** Fails when the database does not answer. */
    askDatabase: () => probe(db),
    /** Whether `satchel doctor` gave itself this pass. */
    isDoctor: (secret: string) => isDoctorPass(db, secret, clock()),
  }
}

/** Where the server is between its start and its end. @param recoverAll settles what a server that died has begun */
export function createPhases(recoverAll: () => Promise<void>) {
  let recovering: Promise<void> = Promise.resolve()
  let state: ServerState = 'starting'
  return {
    state: (): ServerState => state,
    /** Settles what a server that died has begun; call it once, at the start. */
    recover(): Promise<void> {
      const recovery = recoverAll()
      recovering = recovery
        .catch(() => undefined)
        .finally(() => {
          if (state === 'starting') state = 'ready'
        })
      return recovery
    },
    /** Resolves when that is done, or has failed. */
    recovered: (): Promise<void> => recovering,
    /** From now on, load balancers are told to send new requests elsewhere; all that come are served. */
    retire: (): void => void (state = 'stopping'),
  }
}

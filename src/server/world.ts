import type { Kysely } from 'kysely'
import { ROOT } from '../shared/file-path.ts'
import type { Access } from './access/access.ts'
import { ALL_RIGHTS } from './access/permissions.ts'
import { compileRules } from './access/rules.ts'
import { type Archives, createArchives } from './archives/respond.ts'
import type { Bus } from './bus/bus.ts'
import type { Schema } from './db/schema.ts'
import { type Drive, openDrive } from './drive/drive.ts'
import { createFolderWriter, type FolderWriter } from './files/folder-writer.ts'
import { createLimiter } from './sessions/limiter.ts'
import { createSessions, type Sessions } from './sessions/sessions.ts'
import { createSettings, type SettingsStore } from './settings/settings.ts'
import type { Storage } from './storage/storage.ts'
import { createLeases } from './uploads/leases.ts'
import { createUploadStore } from './uploads/store.ts'
import { createSweep } from './uploads/sweep.ts'
import { UPLOAD_EXPIRY_MS, type UploadsDeps } from './uploads/uploads.ts'
import { createManagement, type Management } from './users/manage.ts'
import { createPasswords, type Passwords } from './users/password.ts'
import { createUsers, type Users } from './users/users.ts'

/** What the operator decided, as far as the areas need to know. */
export interface WorldOptions {
  /** Without trailing slash; empty at the root. */
  readonly baseUrl: string
  readonly typeDetectionByHeader: boolean
  /** How long a token lives without renewal, in milliseconds. */
  readonly sessionLifetimeMs: number
  /** What the served folder is called; archives of it are named after it. */
  readonly rootName?: string
}

/** The adapters, chosen by whoever makes the world: `compose.ts`, or a test. */
export interface Adapters {
  readonly storage: Storage
  readonly db: Kysely<Schema>
  readonly bus: Bus
  readonly clock: () => Date
  readonly log: (line: string) => void
  readonly passwords?: Passwords
}

/** Everything that lives as long as the server does. */
export interface World {
  readonly options: WorldOptions
  readonly log: (line: string) => void
  readonly users: Users
  readonly management: Management
  readonly settings: SettingsStore
  readonly sessions: Sessions
  readonly uploads: UploadsDeps
  readonly writer: FolderWriter
  readonly archives: Archives
  driveFor(access: Access): Drive
  /** Removes what has ended and what was left lying; to be called now and then. */
  tidy(): Promise<void>
  stop(): Promise<void>
}

/** The house's own: no scope, no rules. */
const EVERYTHING: Access = {
  scope: ROOT,
  start: ROOT,
  may: ALL_RIGHTS,
  rules: compileRules([], [], { hideDotfiles: false }),
  hideDotfiles: false,
}

export function createWorld({ storage, db, bus, clock, log, passwords = createPasswords() }: Adapters, options: WorldOptions): World {
  const settings = createSettings({ db, bus, clock })
  const users = createUsers({ db, bus, passwords, clock })
  const limiter = createLimiter({ clock })
  const sessions = createSessions({ db, bus, users, settings, limiter, clock, lifetimeMs: options.sessionLifetimeMs, log })
  const management = createManagement({
    users,
    settings,
    requireProof: (caller) => sessions.requireProof(caller),
    makeHome: (path) => openDrive(storage, EVERYTHING).makeFolder(path),
  })
  const store = createUploadStore(db)
  const uploads = { store, leases: createLeases({ store, clock }), clock, expiryMs: UPLOAD_EXPIRY_MS }
  const staged = (id: string) => storage.stage(id, { near: ROOT })
  const staging = { staged: () => storage.staged(), size: (id: string) => staged(id).size(), discard: (id: string) => staged(id).discard() }
  const sweepUploads = createSweep({ ...uploads, staging })
  const writer = createFolderWriter()
  const archives = createArchives({ db, clock })
  return {
    options,
    log,
    users,
    management,
    settings,
    sessions,
    uploads,
    writer,
    archives,
    driveFor: (access) => openDrive(storage, access),
    async tidy() {
      await sessions.sweep()
      await sweepUploads()
      await archives.checksums.sweep()
    },
    async stop() {
      writer[Symbol.dispose]()
      await db.destroy()
    },
  }
}

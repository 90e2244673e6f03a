import type { Kysely } from 'kysely'
import { isAppError } from '../shared/errors.ts'
import { ROOT } from '../shared/file-path.ts'
import type { Access } from './access/access.ts'
import { ALL_RIGHTS } from './access/permissions.ts'
import { compileRules } from './access/rules.ts'
import type { Bus } from './bus/bus.ts'
import type { Schema } from './db/schema.ts'
import { type Drive, openDrive } from './drive/drive.ts'
import { createFolderWriter, type FolderWriter } from './files/folder-writer.ts'
import { createCaptchaCheck } from './sessions/captcha.ts'
import { createLimiter, type Limits } from './sessions/limiter.ts'
import { createMethods } from './sessions/methods.ts'
import { type RunHook, runHook as runProgram } from './sessions/run-hook.ts'
import { createSessions, type Sessions } from './sessions/sessions.ts'
import { createSignup, type Signup } from './sessions/signup.ts'
import { createSettings, type SettingsStore } from './settings/settings.ts'
import type { Storage } from './storage/storage.ts'
import { createLeases } from './uploads/leases.ts'
import { createUploadStore } from './uploads/store.ts'
import { createSweep } from './uploads/sweep.ts'
import { UPLOAD_EXPIRY_MS, type UploadsDeps } from './uploads/uploads.ts'
import { createManagement, type Management } from './users/manage.ts'
import { createPasswords, type Passwords } from './users/password.ts'
import { createPasswordPolicy } from './users/policy.ts'
import { createProvisioning, type Homes } from './users/provision.ts'
import { createUsers, type Users } from './users/users.ts'

/** What the operator decided, as far as the areas need to know. */
export interface WorldOptions {
  /** Without trailing slash; empty at the root. */
  readonly baseUrl: string
  readonly typeDetectionByHeader: boolean
  /** How long a token lives without renewal, in milliseconds. */
  readonly sessionLifetimeMs: number
  /** For tests and benchmarks: captcha services besides the known ones, and how many sign-ins go through at once. */
  readonly captchaHosts?: readonly string[]
  readonly signInLimits?: Limits
}

/** The adapters, chosen by whoever makes the world: `compose.ts`, or a test. */
export interface Adapters {
  readonly storage: Storage
  readonly db: Kysely<Schema>
  readonly bus: Bus
  readonly clock: () => Date
  readonly log: (line: string) => void
  readonly passwords?: Passwords
  readonly runHook?: RunHook
}

/** Everything that lives as long as the server does. */
export interface World {
  readonly options: WorldOptions
  readonly log: (line: string) => void
  readonly users: Users
  readonly management: Management
  readonly settings: SettingsStore
  readonly sessions: Sessions
  readonly signup: Signup
  readonly uploads: UploadsDeps
  readonly writer: FolderWriter
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

export function createWorld(adapters: Adapters, options: WorldOptions): World {
  const { storage, db, bus, clock, log, passwords = createPasswords(), runHook: run = runProgram } = adapters
  const settings = createSettings({ db, bus, clock })
  const users = createUsers({ db, bus, passwords, clock })
  const homes = homesOn(openDrive(storage, EVERYTHING))
  const policy = createPasswordPolicy({ settings })
  const provisioning = createProvisioning({ users, settings, homes })
  const limiter = createLimiter({ clock, limits: options.signInLimits })
  const captcha = createCaptchaCheck({ settings, clock, hosts: options.captchaHosts })
  const methods = createMethods({ users, settings, provisioning, policy, limiter, captcha, run, log })
  const sessions = createSessions({ db, bus, users, settings, limiter, methods, clock, lifetimeMs: options.sessionLifetimeMs, log })
  const signup = createSignup({ settings, provisioning, policy, captcha, limiter: createLimiter({ clock }) })
  const management = createManagement({
    users,
    settings,
    policy,
    requireProof: (caller) => sessions.requireProof(caller),
    makeHome: homes.make,
  })
  const store = createUploadStore(db)
  const uploads = { store, leases: createLeases({ store, clock }), clock, expiryMs: UPLOAD_EXPIRY_MS }
  const staged = (id: string) => storage.stage(id, { near: ROOT })
  const staging = { staged: () => storage.staged(), size: (id: string) => staged(id).size(), discard: (id: string) => staged(id).discard() }
  const sweepUploads = createSweep({ ...uploads, staging })
  const writer = createFolderWriter()
  return {
    options,
    log,
    users,
    management,
    settings,
    sessions,
    signup,
    uploads,
    writer,
    driveFor: (access) => openDrive(storage, access),
    async tidy() {
      await sessions.sweep()
      await sweepUploads()
    },
    async stop() {
      writer[Symbol.dispose]()
      await db.destroy()
    },
  }
}

function homesOn(drive: Drive): Homes {
  return {
    make: (path) => drive.makeFolder(path),
    async isThere(path) {
      try {
        await drive.stat(path)
        return true
      } catch (error) {
        if (isAppError(error, 'not-found')) return false
        throw error
      }
    },
  }
}

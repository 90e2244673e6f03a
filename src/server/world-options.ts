import type { Kysely } from 'kysely'
import type { FilePath } from '../shared/file-path.ts'
import type { Bus } from './bus/bus.ts'
import type { Schema } from './db/schema.ts'
import type { Exec } from './commands/sandbox-mount.ts'
import type { Entry } from './http/log.ts'
import type { TreeIndex } from './index/tree-index.ts'
import type { Pace } from './live/folder-events.ts'
import type { PictureCache } from './previews/cache.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { Limits } from './sessions/limiter.ts'
import type { ListRoots } from './roots/routes.ts'
import type { RunHook } from './sessions/run-hook.ts'
import type { Snapshots } from './snapshots/snapshots.ts'
import type { Storage } from './storage/storage.ts'
import type { UnpackLimits } from './unpack/unpacker.ts'
import type { Passwords } from './users/password.ts'

/** What the operator decided, as far as the areas need to know. */
export interface WorldOptions {
  /** Without trailing slash; empty at the root. */
  readonly baseUrl: string
  readonly typeDetectionByHeader: boolean
  /** How long a token lives without renewal, in milliseconds. */
  readonly sessionLifetimeMs: number
  /** Whether searches return NDJSON to clients that name no media type. */
  readonly searchLines?: boolean
  /** For tests and benchmarks: additional captcha services, and limits of sign-ins. */
  readonly captchaHosts?: readonly string[]
  readonly signInLimits?: Limits
  readonly thumbnails: boolean
  readonly previewResize: boolean
  readonly imageProcessors: number
  /** For administrators; without it, there is no such call. */
  readonly listRoots?: ListRoots
  /** Name of the served folder, and of archives of it. */
  readonly rootName?: string
  readonly unpackLimits?: UnpackLimits
  /** Networks that webhooks may reach although they are not public. */
  readonly webhookNetworks?: readonly string[]
  /** What the server itself writes, if that is below the served folder. */
  readonly ownPlaces?: readonly FilePath[]
  /** Origins by which browsers reach this server, if the operator named some. */
  readonly publicOrigins?: readonly string[]
  /** For tests: how quickly folder events are sent. */
  readonly livePace?: Pace
}

/** The adapters, chosen by `compose.ts` or a test. */
export interface Adapters {
  readonly storage: Storage
  readonly db: Kysely<Schema>
  readonly bus: Bus
  readonly clock: () => Date
  readonly log: (entry: Entry) => void
  readonly sandbox: Sandbox
  readonly pictures: PictureCache
  readonly treeIndex?: TreeIndex
  readonly snapshots?: Snapshots
  readonly passwords?: Passwords
  /** Where commands run; null if commands are disabled. */
  readonly exec?: Exec | null
  readonly runHook?: RunHook
}

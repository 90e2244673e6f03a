import type { Drive } from '../drive/drive.ts'
import type { AccessChanges } from '../access/latest.ts'
import type { Outbox } from '../jobs/outbox.ts'
import { createOutboxWorker, type JobHandler } from '../jobs/outbox-worker.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { GrantedTo } from '../users/access-of.ts'
import type { Users } from '../users/users.ts'
import type { Exec } from './sandbox-mount.ts'
import { createGuard } from './guard.ts'
import type { PrivateUse } from './private-folders.ts'
import { createHooks, HOOK_JOB } from './hooks.ts'

const CONCURRENCY = 2
const POLL_MS = 15_000

export interface CommandsModuleOptions {
  /** Null if nothing can run. */
  readonly exec: Exec | null
  readonly systemDrive: Drive
  readonly use: PrivateUse
  readonly changes: AccessChanges
  readonly settings: SettingsReader
  readonly users: Pick<Users, 'find'>
  readonly grantedTo: GrantedTo
  readonly outbox: Outbox
  readonly log: (line: string) => void
  readonly stopping: AbortSignal
}

/** Commands and hooks: the guard of running programs, and the worker that runs hooks after operations. */
export function createCommandsModule(options: CommandsModuleOptions) {
  const { exec, systemDrive, use, changes, outbox, log } = options
  const guard = exec === null ? null : createGuard({ exec, systemDrive, use, changes })
  const attempt = (id: string) => worker.attempt(id)
  const hooks = exec && guard && createHooks({ ...options, exec, guard, attempt })
  const handlers: Readonly<Record<string, JobHandler>> = hooks === null ? {} : { [HOOK_JOB]: hooks.perform }
  const worker = createOutboxWorker({ outbox, handlers, log, concurrency: CONCURRENCY, pollMs: POLL_MS })
  return { services: { exec, guard, worker }, hooks: hooks?.observer ?? null, stop: worker.stop }
}

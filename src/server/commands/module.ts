import type { Drive } from '../drive/drive.ts'
import type { AccessChanges } from '../access/latest.ts'
import type { BackgroundJobStore } from '../jobs/background-jobs.ts'
import { createWorker, type Perform } from '../jobs/worker.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Users } from '../users/users.ts'
import type { Exec } from './bench.ts'
import { createGuard } from './guard.ts'
import { createHooks, HOOK_JOB } from './hooks.ts'

const AT_ONCE = 2
const LOOK_EVERY_MS = 15_000

export interface CommandsModuleOptions {
  /** Null where nothing runs. */
  readonly exec: Exec | null
  readonly house: Drive
  readonly changes: AccessChanges
  readonly settings: SettingsReader
  readonly users: Pick<Users, 'find'>
  readonly jobs: BackgroundJobStore
  readonly log: (line: string) => void
  readonly stopping: AbortSignal
}

/** Commands and hooks: what keeps running programs within the rules, and the worker that runs hooks afterwards. */
export function createCommandsModule({ exec, house, changes, settings, users, jobs, log, stopping }: CommandsModuleOptions) {
  const guard = exec === null ? null : createGuard({ exec, house, changes })
  const attempt = (id: string) => worker.attempt(id)
  const hooks = exec && guard && createHooks({ exec, guard, settings, users, jobs, attempt, log, stopping })
  const performers: Readonly<Record<string, Perform>> = hooks === null ? {} : { [HOOK_JOB]: hooks.perform }
  const worker = createWorker({ store: jobs, performers, log, places: AT_ONCE, everyMs: LOOK_EVERY_MS })
  return { services: { exec, guard, worker }, hooks: hooks?.observer ?? null, stop: worker.stop }
}

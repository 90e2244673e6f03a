import type { Hono } from 'hono'
import { command as calls, COMMAND_PROTOCOL, type HookRun } from '../../shared/contract/command.ts'
import { fail } from '../../shared/errors.ts'
import { parentOf, pathFrom, ROOT } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import type { Drive } from '../drive/drive.ts'
import { type Env, mount } from '../http/mount.ts'
import { refuseCrossSite } from '../http/same-site.ts'
import { offeredProtocols, wantsSocket } from '../http/socket.ts'
import type { Job, JobStore } from '../jobs/jobs.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Users } from '../users/users.ts'
import { type Exec, openBench } from './bench.ts'
import { HOOK_JOB, HookTask } from './hooks.ts'
import { commandSocket } from './socket.ts'

export interface CommandsDeps {
  /** Null where nothing runs. */
  readonly exec: Exec | null
  /** Why nothing runs although it is switched on. */
  readonly problem: string | null
  readonly house: Drive
  readonly driveFor: (access: Access) => Drive
  readonly users: Pick<Users, 'find'>
  readonly settings: SettingsReader
  readonly jobs: Pick<JobStore, 'latest'>
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
  readonly log: (line: string) => void
}

const COMMANDS_AT_ONCE = 4
const RUNS_SHOWN = 50

/** The command panel's socket, and what administrators are told of hooks. */
export function mountCommands(app: Hono<Env>, deps: CommandsDeps): void {
  const { exec, problem, house, driveFor, users, settings, jobs, stopping, log } = deps
  const running = new Map<number, number>()

  mount(app, calls.socket, async ({ params: { path }, viewer, request, upgrade }) => {
    if (exec === null) return fail('not-found', {})
    refuseCrossSite(request)
    const drive = driveFor(viewer.access)
    const { stat } = await drive.stat(path)
    const folder = await drive.place(stat.kind === 'folder' ? path : parentOf(path), 'follow')
    const scope = await house.place(viewer.access.scope, 'follow')
    if (!wantsSocket(request)) return new Response('426 Upgrade Required\n', { status: 426, headers: { upgrade: 'websocket' } })
    const bench = await openBench({ exec, house }, viewer.access)
    const shell = (await settings.read()).shell
    const allowed = (await users.find(viewer.userId))?.commands ?? []
    const structured = offeredProtocols(request).includes(COMMAND_PROTOCOL)
    const owner = commandSocket({
      exec,
      bench,
      cwd: bench.start.scope === undefined ? '/' : bench.inside(pathFrom(scope, folder) ?? ROOT),
      allowed,
      shell,
      username: viewer.username,
      structured,
      signal: stopping,
      log,
      onEnd: () => void running.set(viewer.userId, (running.get(viewer.userId) ?? 1) - 1),
    })
    const count = running.get(viewer.userId) ?? 0
    if (count >= COMMANDS_AT_ONCE) fail('too-many-requests', { retryAfterSeconds: 10 })
    if (upgrade?.(owner, { protocol: structured ? COMMAND_PROTOCOL : null }) !== true)
      return fail('invalid-input', { issues: ['upgrade: not possible'] })
    running.set(viewer.userId, count + 1)
    return new Response(null)
  })

  mount(app, calls.state, async () => ({
    enabled: exec !== null,
    problem,
    boxed: exec?.boxed ?? true,
    runs: (await jobs.latest(HOOK_JOB, RUNS_SHOWN)).map(runOf),
  }))
}

function runOf({ id, task, state, attempts, report, createdAt, endedAt }: Job): HookRun {
  const { event, username, file } = HookTask.parse(JSON.parse(task))
  return {
    id,
    event,
    username,
    path: file,
    state,
    attempts,
    output: report,
    created: createdAt.getTime(),
    ended: endedAt?.getTime() ?? null,
  }
}

import type { Hono } from 'hono'
import { command as calls, COMMAND_PROTOCOL, type HookRun } from '../../shared/contract/command.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, parentOf, pathFrom, ROOT } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import type { Viewer } from '../access/viewer.ts'
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

  function leave(userId: number): void {
    const left = (running.get(userId) ?? 1) - 1
    if (left > 0) running.set(userId, left)
    else running.delete(userId)
  }

  /** The folder of a path, and the scope it is in, as the storage knows them. */
  async function folderFor(access: Access, path: FilePath): Promise<{ scope: FilePath; folder: FilePath }> {
    const drive = driveFor(access)
    const { stat } = await drive.stat(path)
    const folder = await drive.place(stat.kind === 'folder' ? path : parentOf(path), 'follow')
    return { folder, scope: await house.place(access.scope, 'follow') }
  }

  mount(app, calls.socket, async ({ params: { path }, viewer, again, request, upgrade }) => {
    if (exec === null) return fail('not-found', {})
    refuseCrossSite(request)
    await folderFor(viewer.access, path)
    // From here on nothing is waited for, so that the count holds.
    const count = running.get(viewer.userId) ?? 0
    if (count >= COMMANDS_AT_ONCE) fail('too-many-requests', { retryAfterSeconds: 10 })
    if (!wantsSocket(request)) return new Response('426 Upgrade Required\n', { status: 426, headers: { upgrade: 'websocket' } })
    const structured = offeredProtocols(request).includes(COMMAND_PROTOCOL)
    const mayStill = async (): Promise<Viewer | null> => {
      const now = await again()
      return now?.access.may.execute === true ? now : null
    }
    const owner = commandSocket({
      exec,
      // The line may come long after the connection: whatever has changed since counts.
      async prepare() {
        const now = await mayStill()
        if (now === null) return null
        const { scope, folder } = await folderFor(now.access, path)
        const bench = await openBench({ exec, house }, now.access)
        const cwd = bench.start.scope === undefined ? '/' : bench.inside(pathFrom(scope, folder) ?? ROOT)
        return { bench, cwd, allowed: (await users.find(now.userId))?.commands ?? [], shell: (await settings.read()).shell }
      },
      mayStill: async () => (await mayStill()) !== null,
      username: viewer.username,
      structured,
      signal: stopping,
      log,
      onEnd: () => leave(viewer.userId),
    })
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

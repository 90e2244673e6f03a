import * as z from 'zod/mini'
import { fail } from '../../shared/errors.ts'
import { parseFilePath, type FilePath } from '../../shared/file-path.ts'
import { inScope } from '../access/access.ts'
import type { Observer } from '../drive/observed-drive.ts'
import type { Operation } from '../drive/operation.ts'
import type { Outbox } from '../jobs/outbox.ts'
import type { JobHandler } from '../jobs/outbox-worker.ts'
import type { Settings, SettingsReader } from '../settings/settings.ts'
import { accessOf, type Granted, type GrantedTo } from '../users/access-of.ts'
import type { Account } from '../users/account.ts'
import type { Users } from '../users/users.ts'
import type { SandboxMount, Exec } from './sandbox-mount.ts'
import type { Guard, Guarded } from './guard.ts'
import { argvOf, readHook, type Variables } from './command-line.ts'
import { hookLimits } from './limits.ts'

export const HOOK_JOB = 'hook'
/** Attempted at once by the server that adds it; by others only if that one died. */
const UNATTENDED_MS = 10 * 60_000

export const HookTask = z.object({
  event: z.string(),
  line: z.string(),
  userId: z.number(),
  username: z.string(),
  file: z.string(),
  destination: z.nullable(z.string()),
})
export type HookTask = z.infer<typeof HookTask>

export interface HooksDeps {
  readonly exec: Exec
  readonly guard: Guard
  readonly settings: SettingsReader
  readonly users: Pick<Users, 'find'>
  readonly grantedTo: GrantedTo
  readonly outbox: Pick<Outbox, 'add'>
  readonly attempt: (id: string) => Promise<void>
  readonly log: (line: string) => void
  readonly stopping: AbortSignal
}

interface HookCall {
  readonly event: string
  readonly username: string
  readonly file: FilePath
  readonly destination: FilePath | null
}

/**
 * Runs the administrator's commands before and after operations, on the files and with the rights of the acting user. If a command before an
 * operation fails, the operation is refused (`hook-failed`, with its output). Commands after it are stored as jobs, so that none is lost, and retried
 * when they fail. An operation waits for its hooks, except for those that end in `&`.
 */
export function createHooks(deps: HooksDeps): { observer: Observer; perform: JobHandler } {
  const { exec, guard, settings, users, grantedTo, outbox, attempt, log, stopping } = deps

  async function linesOf(event: string): Promise<readonly string[]> {
    const { commands } = await settings.read()
    return new Map<string, readonly string[]>(Object.entries(commands)).get(event) ?? []
  }

  async function run(line: string, account: Account, act: HookCall, signal: AbortSignal): Promise<HookResult> {
    const now = await settings.read()
    const granted = await grantedTo(account.id)
    const stamp = stampOf(account, now, granted)
    const mayStay = async (): Promise<boolean> =>
      stampOf(await users.find(account.id), await settings.read(), await grantedTo(account.id)) === stamp
    using guarded = await guard.open(accessOf(account, now, granted), { mayStay })
    const env = variablesOf(guarded.mount, act)
    const argv = argvOf(line, { shell: now.shell, variables: env })
    const ran = argv === null ? { well: false, output: 'not a command' } : await runGuarded(guarded, { argv, env, signal })
    log(`hook ${act.event} of ${act.username}: ${ran.well ? 'done' : 'failed'}: ${line}`)
    return ran
  }

  async function runGuarded(
    { mount, signal: mustEnd, until }: Guarded,
    { argv, env, signal }: { argv: readonly string[]; env: Variables; signal: AbortSignal },
  ): Promise<HookResult> {
    const running = runHook(exec, mount, { argv, env, signal: AbortSignal.any([signal, mustEnd]) })
    until(running)
    return running
  }

  const observer: Observer = {
    async before(operation) {
      const act = hookCallOf('before', operation)
      if (act === null || operation.user === null) return
      for (const { line, waits } of (await linesOf(act.event)).map(readHook)) {
        // An operation through a link belongs to the owner, who may do more than the link.
        const account = (await users.find(operation.user.id)) ?? fail('not-found', {})
        const ran = run(line, account, act, stopping)
        if (!waits) void ran.catch((error: unknown) => log(`hook ${act.event}: ${String(error)}`))
        else if (!(await ran).well) fail('hook-failed', { output: (await ran).output })
      }
    },

    async after(operation) {
      const act = hookCallOf('after', operation)
      if (act === null || operation.user === null) return
      const hooks = (await linesOf(act.event)).map(readHook)
      const kept = []
      for (const { line, waits } of hooks) {
        const task: HookTask = { ...act, line, userId: operation.user.id }
        kept.push({ waits, job: await outbox.add(HOOK_JOB, JSON.stringify(task), { dueInMs: UNATTENDED_MS }) })
      }
      for (const { waits, job } of kept) {
        const attempted = attempt(job.id)
        if (waits) await attempted
      }
    },
  }

  const perform: JobHandler = async ({ task }, signal) => {
    const { line, userId, event, username, file, destination } = HookTask.parse(JSON.parse(task))
    const account = await users.find(userId)
    if (account === null) return { done: true, report: 'nobody has this account any more' }
    const act = { event, username, file: parseFilePath(file), destination: destination === null ? null : parseFilePath(destination) }
    const { well, output } = await run(line, account, act, signal)
    return { done: well, report: output }
  }

  return { observer, perform }
}

/** Everything that a hook's program depends on. */
function stampOf(account: Account | null, { rules }: Settings, granted: Granted): string {
  return JSON.stringify([granted, account?.disabled, account?.scope, account?.perm, account?.hideDotfiles, account?.rules, rules])
}

/** The server's own operations have no hooks. Paths are relative to the user's own root, also for operations through a link. */
function hookCallOf(when: 'before' | 'after', operation: Operation): HookCall | null {
  if (operation.user === null) return null
  const isTransfer = operation.kind === 'copy' || operation.kind === 'rename'
  return {
    event: `${when}_${operation.kind === 'restore' ? 'upload' : operation.kind}`,
    username: operation.user.name,
    file: inScope(operation.access, isTransfer ? operation.from : operation.path),
    destination: isTransfer ? inScope(operation.access, operation.to) : null,
  }
}

/** Without a destination, the paths of the operation and the user's own root. */
function variablesOf(mount: SandboxMount, { event, username, file, destination }: HookCall): Variables {
  return {
    FILE: mount.inside(file),
    SCOPE: mount.root,
    TRIGGER: event,
    USERNAME: username,
    DESTINATION: destination === null ? mount.root : mount.inside(destination),
  }
}

/** How a program ended, and its output in order. */
interface HookResult {
  readonly well: boolean
  readonly output: string
}

/** The end of the output is kept: that is where errors are. */
const MAX_OUTPUT_CHARS = 16_000

/** Runs a hook's program on the acting user's files. Never fails, however the program ends. */
async function runHook(
  exec: Exec,
  mount: SandboxMount,
  { argv, env, signal }: { argv: readonly string[]; env: Variables; signal?: AbortSignal },
): Promise<HookResult> {
  const pieces: Uint8Array[] = []
  const { ended, exitCode } = await exec.sandbox.run(argv, {
    ...mount.start,
    ...(mount.start.scope !== undefined && { cwd: mount.root }),
    env,
    limits: hookLimits(exec),
    signal,
    onOutput: (_, bytes) => void pieces.push(bytes),
  })
  const output = Buffer.concat(pieces).toString('utf8').trim().slice(-MAX_OUTPUT_CHARS)
  const well = ended === 'exited' && exitCode === 0
  const how = ended === 'exited' ? `exit code ${exitCode}` : ended
  // The output is followed by how it was cut off.
  const report = ended !== 'exited' && output !== '' ? `${output}\n${how}` : output
  return { well, output: well || report !== '' ? report : how }
}

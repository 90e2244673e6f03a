import { command as calls, COMMAND_PROTOCOL, type HookRun } from '../../shared/contract/command.ts'
import { terminal as terminalCalls, TERMINAL_PROTOCOL } from '../../shared/contract/terminal.ts'
import { fail } from '../../shared/errors.ts'
import { shellAmong } from '../../shared/shells.ts'
import { clientKeyOf } from '../access/viewer.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { offeredProtocols, wantsSocket } from '../http/socket.ts'
import { createSemaphore } from '../../shared/semaphore.ts'
import { type OutboxJob, type Outbox, runOf } from '../jobs/outbox.ts'
import type { Exec } from './sandbox-mount.ts'
import { HOOK_JOB, HookTask } from './hooks.ts'
import type { Guard } from './guard.ts'
import { commandSessionOpener, folderAt, type CommandSessionDeps } from './command-session.ts'
import { commandSocket } from './socket.ts'
import { terminalSocket } from './terminal-socket.ts'

export interface CommandsDeps extends CommandSessionDeps {
  /** Null if nothing can run. */
  readonly exec: Exec | null
  /** Null if nothing can run. */
  readonly guard: Guard | null
  /** Why nothing runs although commands are enabled. */
  readonly problem: string | null
  readonly outbox: Pick<Outbox, 'latest'>
  readonly stopping: AbortSignal
  readonly log: (line: string) => void
}

const COMMANDS_AT_ONCE = 4
const TERMINALS_AT_ONCE = 4
const RETRY_AFTER_SECONDS = 10
const RUNS_SHOWN = 50

/** Sockets of the command panel, and the state of hooks for administrators. */
export function mountCommands(app: Router, deps: CommandsDeps): void {
  const { exec, guard, problem, driveFor, users, outbox, stopping, log } = deps
  const commandLimit = createSemaphore({ slots: Infinity, each: COMMANDS_AT_ONCE, retryAfterSeconds: RETRY_AFTER_SECONDS })
  const terminalLimit = createSemaphore({ slots: Infinity, each: TERMINALS_AT_ONCE, retryAfterSeconds: RETRY_AFTER_SECONDS })

  mount(app, calls.socket, async ({ params: { path }, viewer, reauthenticate, request, upgrade }) => {
    if (exec === null || guard === null) return fail('not-found', {})
    await folderAt(driveFor(viewer.access), path)
    const leave = commandLimit.acquireNow(clientKeyOf(viewer))
    if (!wantsSocket(request)) {
      leave()
      return upgradeRequired()
    }
    const structured = offeredProtocols(request).includes(COMMAND_PROTOCOL)
    const owner = commandSocket({
      exec,
      openSession: commandSessionOpener(guard, deps, { path, reauthenticate }),
      username: viewer.username,
      structured,
      signal: stopping,
      log,
      onEnd: leave,
    })
    return joined(upgrade?.(owner, { protocol: structured ? COMMAND_PROTOCOL : null }), leave)
  })

  mount(app, terminalCalls.socket, async ({ params: { path }, viewer, reauthenticate, request, upgrade }) => {
    const openTerminal = exec?.sandbox.openTerminal ?? null
    if (exec === null || guard === null || openTerminal === null) return fail('not-found', {})
    await folderAt(driveFor(viewer.access), path)
    const account = await users.find(viewer.userId)
    if (!wantsSocket(request)) return upgradeRequired()
    if (shellAmong(account?.commands ?? []) === null) fail('forbidden', { right: 'shell' })
    if (!offeredProtocols(request).includes(TERMINAL_PROTOCOL)) fail('invalid-input', { issues: ['sec-websocket-protocol: unknown'] })
    const leave = terminalLimit.acquireNow(clientKeyOf(viewer))
    const owner = terminalSocket({
      exec,
      openTerminal,
      openSession: commandSessionOpener(guard, deps, { path, reauthenticate }),
      username: viewer.username,
      signal: stopping,
      log,
      onEnd: leave,
    })
    return joined(upgrade?.(owner, { protocol: TERMINAL_PROTOCOL }), leave)
  })

  mount(app, calls.state, async () => ({
    enabled: exec !== null,
    problem,
    boxed: exec?.sandboxed ?? true,
    runs: (await outbox.latest(HOOK_JOB, RUNS_SHOWN)).map(hookRunOf),
  }))
}

function upgradeRequired(): Response {
  return new Response('426 Upgrade Required\n', { status: 426, headers: { upgrade: 'websocket' } })
}

/** The socket keeps its slot, or releases it if there was no upgrade. */
function joined(upgraded: boolean | undefined, leave: () => void): Response {
  if (upgraded === true) return new Response(null)
  leave()
  return fail('invalid-input', { issues: ['upgrade: not possible'] })
}

function hookRunOf(job: OutboxJob): HookRun {
  const { event, username, file } = HookTask.parse(JSON.parse(job.task))
  return { ...runOf(job), event, username, path: file }
}

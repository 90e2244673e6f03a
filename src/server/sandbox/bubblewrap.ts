import { closeSync, existsSync } from 'node:fs'
import { bubblewrapCall, HOME, LAUNCHER } from './arguments.ts'
import { childrenOf } from './process-counter.ts'
import { holdScope, onDisk } from './held-scope.ts'
import { enforceLimits } from './enforce-limits.ts'
import { type Allowed, landlockProbe, NEWEST_LANDLOCK } from './landlock.ts'
import { launcherFile, type Step } from './elf-launcher.ts'
import { launchSteps, OWN_PROCESSES, type Layer } from './launch-steps.ts'
import { type AtTerminal, LIMITS, type Running, type Sandbox, type StartOptions, type TerminalSize } from './sandbox.ts'
import { memoryFile } from './memory-file.ts'
import { type Supervised, supervise, overPipes, yieldingBetween, killGroup, collect, killIfThere } from './supervise.ts'
import { openPty } from './pty.ts'
import { MACHINE, type Machine } from './syscalls.ts'

const BWRAP = '/usr/bin/bwrap'
const ARGS_DESCRIPTOR = 3
const LAUNCHER_DESCRIPTOR = 4
/** The outer bubblewrap process only waits for the inner one. */
const TAKING_NOTE_MS = 500

/** Bubblewrap's own environment is readable inside as /proc/1/environ, so it has none. */
const OUTSIDE = { env: {}, detached: true }

export interface Bubblewrap extends Sandbox {
  /** Null if both layers work, otherwise which one is missing and what that means, in words for the operator. Determined once. */
  weakness(): Promise<string | null>
}

export interface BubblewrapOptions {
  readonly program?: string
  /** For tests: layers to leave out, to show what each of them stops. */
  readonly without?: readonly Layer[]
}

/** What this machine supports. */
interface Setting {
  readonly program: string
  readonly machine: Machine
  /** Version of the kernel's Landlock; 0 if it has none. */
  readonly landlock: number
  readonly without: readonly Layer[]
}

/**
 * Runs programs behind two independent layers (decision 020): namespaces, by Debian's `bubblewrap`, in which they see nothing else; and Landlock and
 * seccomp, set up by our launcher inside, so that the kernel refuses everything else whatever they see.
 */
export function createBubblewrap({ program = BWRAP, without = [] }: BubblewrapOptions = {}): Bubblewrap {
  let looked: Promise<Setting | string> | null = null
  const setting = (): Promise<Setting | string> => (looked ??= look(program, without))

  async function ready({ signal }: StartOptions): Promise<Setting> {
    const found = await setting()
    if (typeof found === 'string') throw new Error(found)
    signal?.throwIfAborted()
    return found
  }

  const sandbox: Bubblewrap = {
    async unavailable() {
      const found = await setting()
      return typeof found === 'string' ? found : null
    },
    async weakness() {
      const found = await setting()
      return typeof found === 'string' ? found : weaknessOf(found)
    },
    async start(argv, options = {}) {
      return start(await ready(options), argv, options)
    },
    async run(argv, options = {}) {
      const outputBytes = options.limits?.outputBytes ?? LIMITS.outputBytes
      return collect(await sandbox.start(argv, options), { ...options, outputBytes })
    },
    async openTerminal(argv, options) {
      return openTerminal(await ready(options), argv, options)
    },
  }
  return sandbox
}

/** @returns why nothing can run, in words for the operator */
async function look(program: string, without: readonly Layer[]): Promise<Setting | string> {
  if (!existsSync(program)) return `${program} is not installed (Debian package bubblewrap)`
  if (MACHINE === null) return `programs run on x86-64 and ARM64 machines only, not on ${process.arch}`
  let help
  try {
    help = Bun.spawnSync([program, '--help'], { env: {} })
  } catch (error) {
    return `${program} cannot run: ${error instanceof Error ? error.message : String(error)}`
  }
  if (help.exitCode !== 0) return `${program} cannot run: ${help.stderr.toString().trim() || `exit code ${help.exitCode}`}`
  if (!help.stdout.includes('--ro-bind-fd'))
    return `${program} is too old: it lacks --ro-bind-fd, which came with the fix of CVE-2024-42472`
  const setting: Setting = { program, machine: MACHINE, landlock: 0, without }
  const asked = await collect(startSteps(setting, landlockProbe(), {}), { outputBytes: 4096 })
  const version = asked.exitCode
  const found = { ...setting, landlock: version !== null && version <= NEWEST_LANDLOCK ? version : 0 }
  const { exitCode, stderr } = await collect(start(found, ['/usr/bin/true'], {}), { outputBytes: 4096 })
  return exitCode === 0 ? found : `bubblewrap cannot start here: ${Buffer.from(stderr).toString().trim() || `exit code ${exitCode}`}`
}

function weaknessOf({ landlock }: Setting): string | null {
  if (landlock === 0) {
    return 'the kernel has no Landlock (Linux 5.13 or newer, with landlock among the security modules): programs are held by namespaces and seccomp only'
  }
  return null
}

function start(setting: Setting, argv: readonly string[], options: StartOptions): Running {
  return startSteps(setting, stepsOf(setting, argv, options, { terminal: false }), options)
}

/** The steps of a launcher, which depend on what its program may access. */
type StepsOf = (allowed: readonly Allowed[]) => readonly Step[]

function stepsOf(
  { machine, landlock, without }: Setting,
  argv: readonly string[],
  { env = {}, limits }: StartOptions,
  { terminal }: { terminal: boolean },
): StepsOf {
  const variables = { PATH: '/usr/bin:/bin', HOME, LANG: 'C.UTF-8', ...env }
  return (allowed) =>
    launchSteps({
      machine,
      argv,
      env: variables,
      limits: { ...LIMITS, ...limits },
      terminal,
      landlock: landlock === 0 ? null : { version: landlock, allowed },
      without,
    })
}

function startSteps(setting: Setting, steps: readonly Step[] | StepsOf, options: StartOptions): Running {
  const { child, supervised } = launch(setting, steps, options, (command, passed) =>
    Bun.spawn([setting.program, ...command], { ...OUTSIDE, stdio: ['pipe', 'pipe', 'pipe', ...passed] }),
  )
  return overPipes(child, supervised)
}

/**
 * Bubblewrap's `--new-session` detaches the program from any existing terminal, so that nothing can be typed into it; the launcher makes the new one
 * its controlling terminal.
 */
function openTerminal(setting: Setting, argv: readonly string[], options: StartOptions & { size: TerminalSize }): AtTerminal {
  const pty = openPty(options.size)
  // Its own end is also reachable as /dev/stdout etc., by a name outside.
  const itself: Allowed = { at: 0, kind: 'file', use: 'device' }
  const steps = stepsOf(setting, argv, options, { terminal: true })
  try {
    const { supervised } = launch(
      setting,
      (allowed) => steps([...allowed, itself]),
      options,
      (command, passed) =>
        Bun.spawn([setting.program, ...command], { ...OUTSIDE, stdio: [pty.programEnd, pty.programEnd, pty.programEnd, ...passed] }),
    )
    return { type: pty.type, resize: pty.resize, output: yieldingBetween(pty.output()), ended: supervised.ended, kill: supervised.kill }
  } catch (error) {
    pty.close()
    throw error
  } finally {
    closeSync(pty.programEnd)
  }
}

/** Starts a program with `spawn`. @param spawn gets the arguments for bubblewrap, and the descriptors to pass on from `ARGS_DESCRIPTOR` on */
function launch<Child extends Bun.Subprocess>(
  { machine, without }: Setting,
  steps: readonly Step[] | StepsOf,
  options: StartOptions,
  spawn: (command: readonly string[], passed: readonly number[]) => Child,
): { child: Child; supervised: Supervised } {
  const limits = { ...LIMITS, ...options.limits }
  const held = options.scope === undefined ? null : holdScope(options.scope)
  const own = held?.binds.map(({ source }) => source) ?? []
  const child = spawnClosed(own, () => {
    const call = bubblewrapCall({
      binds: options.binds ?? [],
      cwd: options.cwd ?? HOME,
      limits,
      scope: held === null ? null : { folder: options.scope?.folder ?? '', held },
      firstDescriptor: LAUNCHER_DESCRIPTOR,
      leak: without.includes('closed-binds'),
    })
    const launcher = launcherFile(machine, typeof steps === 'function' ? steps(call.allowed) : steps)
    for (const content of [onDisk(call.options.map((arg) => `${arg}\0`).join('')), launcher]) own.push(memoryFile(content))
    return spawn(['--args', String(ARGS_DESCRIPTOR), '--', LAUNCHER], [...own.slice(-2), ...call.descriptors])
  })
  const supervised = supervise(child, { limits, signal: options.signal, kill: () => killWithInside(child) })
  enforceLimits(child.pid, supervised, { limits, own: OWN_PROCESSES })
  return { child, supervised }
}

/**
 * The first process inside dies with the outer one, and everything inside with the first. Right after the start it has not requested that yet, so it
 * is killed by its own pid, while the outer one cannot start another. The outer one then notices its end (nobody else may, in a container without an
 * init process that reaps orphans) and ends by itself, or is killed.
 */
function killWithInside(child: Bun.Subprocess): void {
  child.kill('SIGSTOP')
  const inside = childrenOf(child.pid)
  for (const pid of inside) killIfThere(pid)
  if (inside.length === 0) return killGroup(child.pid)
  child.kill('SIGCONT')
  const late = setTimeout(() => killGroup(child.pid), TAKING_NOTE_MS)
  void child.exited.then(() => clearTimeout(late))
}

/** @param descriptors ours, inherited by the program by then */
function spawnClosed<T>(descriptors: readonly number[], spawn: () => T): T {
  try {
    return spawn()
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor)
  }
}

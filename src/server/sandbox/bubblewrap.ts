import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fstatSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { bubblewrapCall } from './arguments.ts'
import { childrenOf, createCensus } from './census.ts'
import { collect } from './collect.ts'
import { holdScope } from './hold.ts'
import {
  type AtTerminal,
  type Bind,
  type Limits,
  LIMITS,
  type Running,
  type Sandbox,
  type StartOptions,
  type TerminalSize,
} from './sandbox.ts'
import { inTurns } from './in-turns.ts'
import { killGroup } from './kill-group.ts'
import { type Overseen, oversee, overPipes } from './overseen.ts'
import { openPty } from './pty.ts'

const BWRAP = '/usr/bin/bwrap'
const PRLIMIT = '/usr/bin/prlimit'
/** Bubblewrap as the first process inside. */
const OWN_PROCESSES = 1
/** The kernel refuses so many later than the census kills: what is refused may try again and again. */
const KERNEL_SLACK = 16
/** Whoever runs programs here, this server is answered first: also while they multiply. */
const PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL
const ARGS_DESCRIPTOR = 3
/** The one outside has nothing to do but to wait for the one inside. */
const TAKING_NOTE_MS = 500

const census = createCensus()

/** Bubblewrap's own environment can be read inside as /proc/1/environ: it has none. */
const OUTSIDE = { env: {}, detached: true }
/**
 * Bubblewrap's `--new-session` takes the program away from every terminal there was, so that nothing can be typed into it (TIOCSTI); here it takes
 * the new one for its own, which controls nothing else.
 */
const AT_TERMINAL = ['/usr/bin/setsid', '--ctty', '--wait']

/** Programs in namespaces of their own, by Debian's `bubblewrap`; limits by `prlimit` of `util-linux`. */
export function createBubblewrap({ program = BWRAP }: { program?: string } = {}): Sandbox {
  let looked: Promise<string | null> | null = null

  async function ready({ signal }: StartOptions): Promise<void> {
    const reason = await sandbox.unavailable()
    if (reason !== null) throw new Error(reason)
    signal?.throwIfAborted()
  }

  const sandbox: Sandbox = {
    unavailable: () => (looked ??= whyNot(program, () => start(program, ['/usr/bin/true'], {}))),
    async start(argv, options = {}) {
      await ready(options)
      return start(program, argv, options)
    },
    async run(argv, options = {}) {
      const outputBytes = options.limits?.outputBytes ?? LIMITS.outputBytes
      return collect(await sandbox.start(argv, options), { ...options, outputBytes })
    },
    async openTerminal(argv, options) {
      await ready(options)
      return openTerminal(program, argv, options)
    },
  }
  return sandbox
}

async function whyNot(program: string, attempt: () => Running): Promise<string | null> {
  if (!existsSync(program)) return `${program} is not installed (Debian package bubblewrap)`
  if (!existsSync(PRLIMIT)) return `${PRLIMIT} is not installed (Debian package util-linux)`
  const { exitCode, stderr } = await collect(attempt(), { outputBytes: 4096 })
  return exitCode === 0 ? null : `bubblewrap cannot start here: ${Buffer.from(stderr).toString().trim() || `exit code ${exitCode}`}`
}

function start(program: string, argv: readonly string[], options: StartOptions): Running {
  const { child, overseen } = launch(argv, options, (command, passed) =>
    Bun.spawn([program, ...command], { ...OUTSIDE, stdio: ['pipe', 'pipe', 'pipe', ...passed] }),
  )
  return overPipes(child, overseen)
}

function openTerminal(program: string, argv: readonly string[], options: StartOptions & { size: TerminalSize }): AtTerminal {
  const pty = openPty(options.size)
  try {
    const { overseen } = launch([...AT_TERMINAL, ...argv], options, (command, passed) =>
      Bun.spawn([program, ...command], { ...OUTSIDE, stdio: [pty.programEnd, pty.programEnd, pty.programEnd, ...passed] }),
    )
    return { type: pty.type, resize: pty.resize, output: inTurns(pty.output()), ended: overseen.ended, kill: overseen.kill }
  } catch (error) {
    pty.close()
    throw error
  } finally {
    closeSync(pty.programEnd)
  }
}

/**
 * Starts a program, by what `spawn` does.
 * @param spawn is given what to tell bubblewrap, and descriptors to pass on from `ARGS_DESCRIPTOR` on
 */
function launch<Child extends Bun.Subprocess>(
  argv: readonly string[],
  options: StartOptions,
  spawn: (command: readonly string[], passed: readonly number[]) => Child,
): { child: Child; overseen: Overseen } {
  const limits = { ...LIMITS, ...options.limits }
  const held = options.scope === undefined ? null : holdScope(options.scope)
  const own = held?.binds.map(({ source }) => source) ?? []
  const child = spawnClosed(own, () => {
    const scope = held === null ? null : { folder: options.scope?.folder ?? '', held }
    const { options: told, descriptors } = bubblewrapCall(options, scope, ARGS_DESCRIPTOR + 1)
    const args = unnamedFile(told.map((arg) => `${arg}\0`).join(''))
    own.push(args)
    const check = checked([...(held?.binds ?? []), ...(options.binds ?? [])])
    const command = ['--args', String(ARGS_DESCRIPTOR), '--', ...check, PRLIMIT, ...prlimits(limits), '--', ...argv]
    return spawn(command, [args, ...descriptors])
  })
  yieldToOthers(child.pid)
  const overseen = oversee(child, { limits, signal: options.signal, kill: () => killWithInside(child) })
  const onMore = (): void => overseen.end('too-many-processes')
  void overseen.ended.then(census.watch(child.pid, { most: limits.processes + OWN_PROCESSES, onMore }))
  return { child, overseen }
}

/**
 * The first process inside dies with the one outside, and everything inside with the first. In its first moments it has not yet asked for that:
 * it is ended by its own number, while the one outside cannot start another. The one outside then takes note of its end, as nobody else may
 * do in a container without a first process that looks after orphans, and ends by itself, or is ended.
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

function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, PRIORITY)
  } catch {
    // It has ended already.
  }
}

/**
 * Bubblewrap takes a descriptor's file by the name it has at that moment, which may have become another file's. So the first thing that runs
 * inside compares what is there with what we hold, and goes on only with the very same.
 */
function checked(binds: readonly Bind[]): string[] {
  const held = binds.flatMap(({ source, target }) => (typeof source === 'string' ? [] : [{ source, target }]))
  if (held.length === 0) return []
  const identities = held.map(({ source }) => {
    const { dev, ino } = fstatSync(source, { bigint: true })
    return `${dev}:${ino}`
  })
  // Of numbers alone: what is compared comes as arguments.
  const targets = held.map((_, at) => `"\${${at + 2}}"`).join(' ')
  const script = `[ "$(/usr/bin/stat -Lc %d:%i ${targets})" = "$1" ] || exit 126; shift ${held.length + 1}; exec "$@"`
  return ['/bin/sh', '-c', script, 'sh', identities.join('\n'), ...held.map(({ target }) => target)]
}

function prlimits({ cpuSeconds, memoryBytes, fileSizeBytes, processes }: Limits): string[] {
  const memory = memoryBytes === null ? [] : [`--as=${memoryBytes}`]
  return [
    `--cpu=${Math.ceil(cpuSeconds)}`,
    ...memory,
    `--fsize=${fileSizeBytes}`,
    `--nproc=${processes + OWN_PROCESSES + KERNEL_SLACK}`,
    '--core=0',
  ]
}

/** A descriptor from which `text` can be read, of a file that has no name any more. */
function unnamedFile(text: string): number {
  const path = join(tmpdir(), `satchel-${randomUUID()}`)
  const writer = openSync(path, 'wx', 0o600)
  try {
    writeSync(writer, text)
    return openSync(path, 'r')
  } finally {
    closeSync(writer)
    unlinkSync(path)
  }
}

/** @param descriptors ours, which the program has by then */
function spawnClosed<T>(descriptors: readonly number[], spawn: () => T): T {
  try {
    return spawn()
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor)
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

import { posix } from 'node:path'
import { programPriority } from './enforce-limits.ts'
import { type Allowed, landlockSteps } from './landlock.ts'
import type { AddressList, Composed, Step } from './elf-launcher.ts'
import type { Limits } from './sandbox.ts'
import { seccompFilter } from './seccomp.ts'
import type { Machine } from './syscalls.ts'

export interface Launch {
  readonly machine: Machine
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly limits: Limits
  /** Whether 0, 1 and 2 are a terminal, which becomes the controlling one. */
  readonly terminal: boolean
  /** What it may access; null if the kernel has no Landlock. */
  readonly landlock: { readonly version: number; readonly allowed: readonly Allowed[] } | null
  /** Parts to leave out, for tests that show what each of them stops. */
  readonly without: readonly Layer[]
}

/** Binds that bubblewrap closes; no descriptor above 2; access limited by Landlock; system calls filtered by seccomp. */
export type Layer = 'closed-binds' | 'closed-descriptors' | 'landlock' | 'seccomp'

/** The first descriptor after standard input, output and error. */
const FIRST_OTHER = 3
const LAST_DESCRIPTOR = 0xffff_ffff
const TIOCSCTTY = 0x540e
const PRIO_PROCESS = 0
const PR_SET_NO_NEW_PRIVS = 38
const SECCOMP_SET_MODE_FILTER = 1
const AT_FDCWD = -100
const X_OK = 1
const STDERR = 2
const NOT_FOUND = 127

/** `asm-generic/resource.h`, which x86-64 and ARM64 share. */
const RLIMIT_CPU = 0
const RLIMIT_FSIZE = 1
const RLIMIT_CORE = 4
const RLIMIT_NPROC = 6
const RLIMIT_NOFILE = 7
const RLIMIT_MEMLOCK = 8
const RLIMIT_AS = 9
const RLIMIT_MSGQUEUE = 12

/** Bubblewrap as the first process inside. */
export const OWN_PROCESSES = 1
/** The kernel's limit is this much higher than the one at which the process counter kills: a refused fork could be retried forever. */
const KERNEL_SLACK = 16
/** Each may use kernel memory that is not counted. */
const OPEN_FILES = 512
const LOCKED_BYTES = 64 * 1024

/** The steps of the launcher, from its start inside bubblewrap's namespaces to the program. */
export function launchSteps({ machine, argv, env, limits, terminal, landlock, without }: Launch): Step[] {
  const has = (layer: Layer): boolean => !without.includes(layer)
  return [
    ...(has('closed-descriptors') ? [closeOthers()] : []),
    ...(terminal ? controlTerminal() : []),
    // The server does it as well, but the program may be faster.
    { call: 'setpriority', args: [PRIO_PROCESS, 0, programPriority()], onFailure: 1 },
    ...limitSteps(limits),
    { call: 'prctl', args: [PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0] },
    ...(landlock !== null && has('landlock') ? landlockSteps(landlock.version, landlock.allowed) : []),
    ...(has('seccomp') ? [filter(machine)] : []),
    ...execSteps(argv, env),
  ]
}

function closeOthers(): Step {
  return { call: 'close_range', args: [FIRST_OTHER, LAST_DESCRIPTOR, 0] }
}

/** In its own session. */
function controlTerminal(): Step[] {
  return [
    { call: 'setsid', args: [] },
    { call: 'ioctl', args: [0, TIOCSCTTY, 0] },
  ]
}

function filter(machine: Machine): Step {
  const program = seccompFilter(machine)
  const head = Buffer.alloc(16)
  head.writeUInt16LE(program.length / 8, 0)
  const filterProgram: Composed = { bytes: head, addressAt: 8, of: program }
  return { call: 'seccomp', args: [SECCOMP_SET_MODE_FILTER, 0, filterProgram] }
}

function limitSteps({ cpuSeconds, memoryBytes, fileSizeBytes, processes }: Limits): Step[] {
  const limits: [number, number][] = [
    [RLIMIT_CPU, Math.ceil(cpuSeconds)],
    [RLIMIT_FSIZE, fileSizeBytes],
    [RLIMIT_CORE, 0],
    [RLIMIT_NPROC, processes + OWN_PROCESSES + KERNEL_SLACK],
    [RLIMIT_NOFILE, OPEN_FILES],
    [RLIMIT_MEMLOCK, LOCKED_BYTES],
    [RLIMIT_MSGQUEUE, 0],
    ...(memoryBytes === null ? [] : [[RLIMIT_AS, memoryBytes] satisfies [number, number]]),
  ]
  return limits.map(([limit, value]) => {
    const both = new Uint8Array(BigUint64Array.of(BigInt(value), BigInt(value)).buffer)
    // A lower limit is kept.
    return { call: 'prlimit64', args: [0, limit, both, 0], onFailure: 1 }
  })
}

/** As `execvp(3)`: along PATH; a script without `#!` is run by the shell. */
function execSteps(argv: readonly string[], env: Readonly<Record<string, string>>): Step[] {
  const [program = ''] = argv
  const places = program.includes('/') ? [program] : (env['PATH'] ?? '').split(':').map((folder) => posix.join(folder, program))
  const variables: AddressList = { addresses: Object.entries(env).map(([name, value]) => `${name}=${value}`) }
  const message = Buffer.from(`${program}: No such file, or not executable\n`)
  return [
    ...places.map((place): Step => ({ call: 'execve', args: [place, { addresses: argv }, variables], onFailure: 1 })),
    ...places.flatMap((place): Step[] => [
      { call: 'faccessat', args: [AT_FDCWD, place, X_OK, 0], onFailure: 2 },
      { call: 'execve', args: ['/bin/sh', { addresses: ['sh', place, ...argv.slice(1)] }, variables], onFailure: 1 },
    ]),
    { call: 'write', args: [STDERR, message, message.length], onFailure: 1 },
    { call: 'exit_group', args: [NOT_FOUND] },
  ]
}

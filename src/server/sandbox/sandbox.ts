import { totalmem } from 'node:os'

/** A file or folder of this machine as the program sees it. */
export interface Bind {
  /** A path of this machine, or a descriptor this process holds: the program then gets that very file, or does not start. */
  readonly source: string | number
  /** Absolute; chosen by us, so that no name of a user reaches a command line. */
  readonly target: string
  readonly writable?: boolean
}

/** What the acting user may reach, at one fixed place. */
export interface Scope {
  /** A folder of this machine. */
  readonly folder: string
  readonly writable: boolean
  /** Below the folder, relative to it: what rules deny. Shown empty and closed. */
  readonly masked: readonly string[]
}

/** Where the program finds the acting user's scope. */
export const SCOPE_PATH = '/files'

export interface Limits {
  /** Milliseconds of the clock; then everything is killed. */
  readonly wallMs: number
  /** Of each process. */
  readonly cpuSeconds: number
  /** Address space of each process, in bytes; null for programs that reserve more than they use and watch themselves. */
  readonly memoryBytes: number | null
  /** Of all its processes together, in bytes of memory that is really in use; then everything is killed. */
  readonly totalMemoryBytes: number
  /** In `/tmp`; its home and `/dev/shm` have a quarter of it each. */
  readonly temporaryBytes: number
  /** Of each file that is written. */
  readonly fileSizeBytes: number
  /** At the same time. */
  readonly processes: number
  /** Of both outputs together; then everything is killed. */
  readonly outputBytes: number
}

export const LIMITS: Limits = {
  wallMs: 60_000,
  cpuSeconds: 60,
  memoryBytes: 2 * 1024 ** 3,
  totalMemoryBytes: Math.min(2 * 1024 ** 3, totalmem() / 2),
  temporaryBytes: Math.min(256 * 1024 ** 2, totalmem() / 16),
  fileSizeBytes: 1024 ** 3,
  processes: 64,
  outputBytes: 16 * 1024 ** 2,
}

export interface StartOptions {
  readonly binds?: readonly Bind[]
  readonly scope?: Scope
  /** Absolute, as the program sees it; its empty home by default. */
  readonly cwd?: string
  /** All that the program finds in its environment besides PATH, HOME and LANG. */
  readonly env?: Readonly<Record<string, string>>
  readonly limits?: Partial<Limits>
  /** Aborting kills the program with everything it started. */
  readonly signal?: AbortSignal
}

export interface RunOptions extends StartOptions {
  readonly stdin?: string | Uint8Array
  /** Called with each piece as it comes, besides being collected. */
  readonly onOutput?: (from: 'stdout' | 'stderr', bytes: Uint8Array) => void
}

/** How a run came to its end: by itself, or cut off by its limits or by us. */
export type Ending = 'exited' | 'too-long' | 'too-much-output' | 'too-many-processes' | 'too-much-memory' | 'aborted'

export interface Outcome {
  readonly ended: Ending
  /** Null when it was killed. */
  readonly exitCode: number | null
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
}

/** A program at work. */
export interface Running {
  /** Resolves when the bytes are taken; fails when the program no longer reads. */
  write(bytes: Uint8Array): Promise<void>
  /** No more input. */
  endInput(): void
  /** To be read once; whatever it says, everybody else has their turns. */
  readonly stdout: AsyncIterable<Uint8Array>
  readonly stderr: AsyncIterable<Uint8Array>
  /** Never fails. */
  readonly ended: Promise<{ ended: Ending; exitCode: number | null }>
  /** With everything it started. */
  kill(): void
}

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** A program at work at a terminal of its own, which controls it: jobs, Ctrl+C, a size. */
export interface AtTerminal extends Pick<Running, 'ended' | 'kill'> {
  /** As if typed. What a program does not read in the end gets lost. */
  type(bytes: Uint8Array): void
  resize(size: TerminalSize): void
  /** Both its outputs. Must be read to its end; the program waits for who reads slowly. */
  readonly output: AsyncIterable<Uint8Array>
}

/**
 * Runs a program so that it sees the system's programs (read only), an empty home, and what it is given; nothing else of this machine, no
 * network, none of our environment, no rights, and only so much time, memory, output and processes (security D.3). It dies with us.
 */
export interface Sandbox {
  /** Null when programs can run, else why not, in words for the operator. Found out once. */
  unavailable(): Promise<string | null>
  /** A program to talk to. `wallMs` counts from here; `outputBytes` does not hold. Fails where programs cannot run. */
  start(argv: readonly string[], options?: StartOptions): Promise<Running>
  /** A program from start to end. Fails where programs cannot run; how a program ended is no failure. */
  run(argv: readonly string[], options?: RunOptions): Promise<Outcome>
  /** A program at a terminal; null where there are none. As `start`. */
  readonly openTerminal: ((argv: readonly string[], options: StartOptions & { size: TerminalSize }) => Promise<AtTerminal>) | null
}

/** A program that a signal ended has this and the signal’s number as its exit code. */
const SIGNALS_AFTER = 128
/** What is higher is no signal that ends programs, but an exit code of their own: ffmpeg has some. */
const LAST_SIGNAL = 31

/**
 * Whether a program was ended by a signal or by one of its limits: that may be the machine’s fault, and says nothing certain about what the program
 * read (B4, R9).
 */
export function wasKilled({ ended, exitCode }: Pick<Outcome, 'ended' | 'exitCode'>): boolean {
  if (ended !== 'exited') return ended !== 'aborted'
  return exitCode === null || (exitCode > SIGNALS_AFTER && exitCode <= SIGNALS_AFTER + LAST_SIGNAL)
}

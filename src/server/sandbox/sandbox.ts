import { totalmem } from 'node:os'

/** A file or folder of this machine as the program sees it. */
export interface Bind {
  /** A path of this machine, or a descriptor of this process: the program then gets this very file, or does not start. */
  readonly source: string | number
  /** Absolute; chosen by us, so that no user's file name is on a command line. */
  readonly target: string
  readonly writable?: boolean
}

/** What the acting user may access, at one fixed path. */
export interface Scope {
  readonly folder: string
  readonly writable: boolean
  /** Denied paths below the folder, relative to it. Shown as empty and inaccessible. */
  readonly masked: readonly string[]
}

/** Path of the acting user's scope in the sandbox. */
export const SCOPE_PATH = '/files'

export interface Limits {
  /** Wall-clock milliseconds; then everything is killed. */
  readonly wallMs: number
  /** Per process. */
  readonly cpuSeconds: number
  /** Address space of each process, in bytes; null for programs that reserve more than they use and limit themselves. */
  readonly memoryBytes: number | null
  /** Total memory of all its processes in bytes; beyond it, everything is killed. */
  readonly totalMemoryBytes: number
  /** In `/tmp`; its home and `/dev/shm` have a quarter of it each. */
  readonly temporaryBytes: number
  /** Of each written file. */
  readonly fileSizeBytes: number
  readonly processes: number
  /** Both outputs together; beyond it, everything is killed. */
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
  /** The whole environment besides PATH, HOME and LANG. */
  readonly env?: Readonly<Record<string, string>>
  readonly limits?: Partial<Limits>
  /** Aborting kills the program with its descendants. */
  readonly signal?: AbortSignal
}

export interface RunOptions extends StartOptions {
  readonly stdin?: string | Uint8Array
  /** Called with each piece of output, which is also collected. */
  readonly onOutput?: (from: 'stdout' | 'stderr', bytes: Uint8Array) => void
}

/** How a run ended: by itself, or cut off by its limits or by us. */
export type Ending = 'exited' | 'too-long' | 'too-much-output' | 'too-many-processes' | 'too-much-memory' | 'aborted'

export interface Outcome {
  readonly ended: Ending
  /** Null if it was killed. */
  readonly exitCode: number | null
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
}

export interface Running {
  /** Resolves when the bytes are taken; fails if the program no longer reads. */
  write(bytes: Uint8Array): Promise<void>
  endInput(): void
  /** Readable once; yields to the event loop between pieces. */
  readonly stdout: AsyncIterable<Uint8Array>
  readonly stderr: AsyncIterable<Uint8Array>
  /** Never fails. */
  readonly ended: Promise<{ ended: Ending; exitCode: number | null }>
  /** Kills it with its descendants. */
  kill(): void
}

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** A program running at its own terminal, with job control, Ctrl+C and a size. */
export interface AtTerminal extends Pick<Running, 'ended' | 'kill'> {
  /** Types into the terminal. Input that the program never reads is lost. */
  type(bytes: Uint8Array): void
  resize(size: TerminalSize): void
  /** Both outputs. Must be read to the end; the program waits for slow readers. */
  readonly output: AsyncIterable<Uint8Array>
}

/**
 * Runs a program so that it sees the system's programs (read-only), an empty home, and what it is given; nothing else of this machine, no network,
 * none of our environment, no rights, and only limited time, memory, output and processes. It is killed when this process ends.
 */
export interface Sandbox {
  /** Null if programs can run, otherwise why not, in words for the operator. Determined once. */
  unavailable(): Promise<string | null>
  /** Starts an interactive program. `wallMs` counts from here; `outputBytes` does not apply. Fails if programs cannot run. */
  start(argv: readonly string[], options?: StartOptions): Promise<Running>
  /** Runs a program to its end. Fails if programs cannot run; an unsuccessful end is a result, not a failure. */
  run(argv: readonly string[], options?: RunOptions): Promise<Outcome>
  /** Starts a program at a terminal, as `start` does; null if there are none. */
  readonly openTerminal: ((argv: readonly string[], options: StartOptions & { size: TerminalSize }) => Promise<AtTerminal>) | null
}

/** The exit code of a program that was killed by a signal is this plus the signal's number. */
const SIGNALS_AFTER = 128
/** Higher exit codes are programs' own, such as ffmpeg's. */
const LAST_SIGNAL = 31

/**
 * Whether a program was ended by a signal or by one of its limits: that may be the machine’s fault, and says nothing certain about what the program
 * read (B4, R9).
 */
export function wasKilled({ ended, exitCode }: Pick<Outcome, 'ended' | 'exitCode'>): boolean {
  if (ended !== 'exited') return ended !== 'aborted'
  return exitCode === null || (exitCode > SIGNALS_AFTER && exitCode <= SIGNALS_AFTER + LAST_SIGNAL)
}

import { realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { HOME, type ProgramPlace } from '../entries/entries.ts'
import { RUNTIME_COMMAND, RUNTIME_ENVIRONMENT, runtimeCommand } from '../entries/runtime.ts'
import { type Bind, type Ending, type Limits, LIMITS, type Running, type Sandbox } from '../sandbox/sandbox.ts'

const INSIDE = '/app'

export interface Program extends ProgramPlace {
  readonly limits: Partial<Limits>
  /** An additional input: a descriptor of ours, whose path in the sandbox is the program's only argument. */
  readonly input?: number
  readonly signal?: AbortSignal
}

/** Path of the input in the sandbox. */
const INPUT = '/input'
const INPUT_DESCRIPTOR = 3

/**
 * Starts one of our own programs: in the sandbox, where it sees only its own code; without a sandbox, as a plain process with an empty environment.
 * Because it is our own program with our decoders, previews work on machines without bubblewrap as well.
 */
export async function startProgram(sandbox: Sandbox, program: Program): Promise<Running> {
  if ((await sandbox.unavailable()) !== null) return startPlain(program)
  const { file, folders, limits, input, signal } = program
  const given: Bind[] = input === undefined ? [] : [{ source: input, target: INPUT }]
  const command = [...runtimeCommand(`${INSIDE}/bun`), `${INSIDE}/${basename(dirname(file))}/${basename(file)}`]
  return sandbox.start([...command, ...given.map(({ target }) => target)], {
    cwd: INSIDE,
    env: RUNTIME_ENVIRONMENT,
    binds: [
      { source: realpathSync(process.execPath), target: `${INSIDE}/bun` },
      ...folders.map((folder) => ({ source: folder, target: `${INSIDE}/${basename(folder)}` })),
      { source: packagesFolder(), target: `${INSIDE}/node_modules` },
      ...given,
    ],
    limits: { ...limits, memoryBytes: null },
    signal,
  })
}

function startPlain({ file, limits, input, signal }: Program): Running {
  signal?.throwIfAborted()
  const child = Bun.spawn([...RUNTIME_COMMAND, file, ...(input === undefined ? [] : [`/proc/self/fd/${INPUT_DESCRIPTOR}`])], {
    env: RUNTIME_ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'pipe', ...(input === undefined ? [] : [input])],
  })
  let ending: Ending = 'exited'
  const end = (how: Ending): void => {
    if (ending === 'exited') ending = how
    child.kill('SIGKILL')
  }
  const abort = (): void => end('aborted')
  signal?.addEventListener('abort', abort, { once: true })
  const clock = setTimeout(() => end('too-long'), limits.wallMs ?? LIMITS.wallMs)
  clock.unref()
  return {
    async write(bytes) {
      await child.stdin.write(bytes)
      await child.stdin.flush()
    },
    endInput: () => void Promise.resolve(child.stdin.end()).catch(() => undefined),
    stdout: child.stdout,
    stderr: child.stderr,
    ended: child.exited.then((exitCode) => {
      clearTimeout(clock)
      signal?.removeEventListener('abort', abort)
      return { ended: ending, exitCode: ending === 'exited' ? exitCode : null }
    }),
    kill: abort,
  }
}

/** The `node_modules` folder that contains our packages, links resolved. */
function packagesFolder(): string {
  const inside = Bun.resolveSync('sharp/package.json', HOME)
  return realpathSync(dirname(dirname(inside)))
}

/** Reads and discards output, so that the program does not block. */
export async function drain(output: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of output) void _
}

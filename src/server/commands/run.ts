import type { Limits } from '../sandbox/sandbox.ts'
import type { Bench, Exec } from './bench.ts'
import type { Variables } from './line.ts'

/** How a program ended, and what it said in the order in which it said it. */
export interface Ran {
  readonly well: boolean
  readonly output: string
}

/** Hooks work by themselves, with nobody who could stop them. */
const HOOK_LIMITS: Partial<Limits> = { wallMs: 5 * 60_000, cpuSeconds: 120, outputBytes: 1024 ** 2, processes: 64 }

/** Runs a hook's program on the acting user's files. How it ends is no failure of this. */
export async function runHook(
  exec: Exec,
  bench: Bench,
  { argv, env, signal }: { argv: readonly string[]; env: Variables; signal?: AbortSignal },
): Promise<Ran> {
  const pieces: Uint8Array[] = []
  const { ended, exitCode } = await exec.sandbox.run(argv, {
    ...bench.start,
    ...(bench.start.scope !== undefined && { cwd: bench.root }),
    env,
    limits: HOOK_LIMITS,
    signal,
    onOutput: (_, bytes) => void pieces.push(bytes),
  })
  const said = Buffer.concat(pieces).toString('utf8').trim()
  const well = ended === 'exited' && exitCode === 0
  const how = ended === 'exited' ? `exit code ${exitCode}` : ended
  return { well, output: well || said !== '' ? said : how }
}

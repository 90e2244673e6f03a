import type { SandboxMount, Exec } from './sandbox-mount.ts'
import { hookLimits } from './limits.ts'
import type { Variables } from './command-line.ts'

/** How a program ended, and what it said in the order in which it said it. */
export interface HookResult {
  readonly well: boolean
  readonly output: string
}

/** Of what it said, the end is kept: that is where reasons stand. */
const MAX_OUTPUT_CHARS = 16_000

/** Runs a hook's program on the acting user's files. How it ends is no failure of this. */
export async function runHook(
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
  // How it was cut off is news even to who reads what it said.
  const report = ended !== 'exited' && output !== '' ? `${output}\n${how}` : output
  return { well, output: well || report !== '' ? report : how }
}

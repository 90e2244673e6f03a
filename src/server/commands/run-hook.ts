import type { SandboxMount, Exec } from './sandbox-mount.ts'
import { hookLimits } from './limits.ts'
import type { Variables } from './command-line.ts'

/** How a program ended, and its output in order. */
export interface HookResult {
  readonly well: boolean
  readonly output: string
}

/** The end of the output is kept: that is where errors are. */
const MAX_OUTPUT_CHARS = 16_000

/** Runs a hook's program on the acting user's files. Never fails, however the program ends. */
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
  // The output is followed by how it was cut off.
  const report = ended !== 'exited' && output !== '' ? `${output}\n${how}` : output
  return { well, output: well || report !== '' ? report : how }
}

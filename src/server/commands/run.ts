import type { Bench, Exec } from './bench.ts'
import { hookLimits } from './limits.ts'
import type { Variables } from './line.ts'

/** How a program ended, and what it said in the order in which it said it. */
export interface Ran {
  readonly well: boolean
  readonly output: string
}

/** Of what it said, the end is kept: that is where reasons stand. */
const MAX_SAID_CHARS = 16_000

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
    limits: hookLimits(exec),
    signal,
    onOutput: (_, bytes) => void pieces.push(bytes),
  })
  const said = Buffer.concat(pieces).toString('utf8').trim().slice(-MAX_SAID_CHARS)
  const well = ended === 'exited' && exitCode === 0
  const how = ended === 'exited' ? `exit code ${exitCode}` : ended
  // How it was cut off is news even to who reads what it said.
  const output = ended !== 'exited' && said !== '' ? `${said}\n${how}` : said
  return { well, output: well || output !== '' ? output : how }
}

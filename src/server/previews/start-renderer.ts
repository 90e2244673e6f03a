import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Running, Sandbox } from '../sandbox/sandbox.ts'

/** Long enough for any day; then a fresh process takes over. */
const DAY_SECONDS = 24 * 3600
const INSIDE = '/app'
const PROGRAM = 'render-program.ts'

/**
 * Starts the rendering program: in the sandbox, where it sees its own code and nothing else; where there is none, as a plain process with an
 * empty environment. It is our own program with the decoders we ship, so a machine without bubblewrap still shows its pictures.
 */
export async function startRenderer(sandbox: Sandbox): Promise<Running> {
  if ((await sandbox.unavailable()) !== null) return startPlain()
  return sandbox.start([`${INSIDE}/bun`, `${INSIDE}/previews/${PROGRAM}`], {
    cwd: INSIDE,
    binds: [
      { source: realpathSync(process.execPath), target: `${INSIDE}/bun` },
      { source: import.meta.dir, target: `${INSIDE}/previews` },
      { source: packagesFolder(), target: `${INSIDE}/node_modules` },
    ],
    limits: { wallMs: DAY_SECONDS * 1000, cpuSeconds: DAY_SECONDS, memoryBytes: null, fileSizeBytes: 64 * 1024 ** 2 },
  })
}

function startPlain(): Running {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, PROGRAM)], {
    env: {},
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  return {
    async write(bytes) {
      await child.stdin.write(bytes)
      await child.stdin.flush()
    },
    endInput: () => void child.stdin.end(),
    stdout: child.stdout,
    stderr: child.stderr,
    ended: child.exited.then((exitCode) => ({ ended: 'exited', exitCode })),
    kill: () => child.kill('SIGKILL'),
  }
}

/** The `node_modules` that our packages are really in. */
function packagesFolder(): string {
  const inside = Bun.resolveSync('sharp/package.json', import.meta.dir)
  return realpathSync(dirname(dirname(inside)))
}

import { collect } from './collect.ts'
import { LIMITS, type Running, type Sandbox, type StartOptions } from './sandbox.ts'
import { enforceLimits } from './enforce-limits.ts'
import { killGroup } from './kill-group.ts'
import { supervise, overPipes } from './supervise.ts'

const PRLIMIT = '/usr/bin/prlimit'

/**
 * Programs without any box: with the rights of this server, and in sight of everything it sees; `scope` and `binds` mean nothing. Only for
 * operators who say in so many words that they accept that. Time, output, memory, processes and the
 * environment are held to all the same.
 */
export function createUnsandboxed(): Sandbox {
  const sandbox: Sandbox = {
    unavailable: async () => null,
    start: async (argv, options = {}) => launch(argv, options),
    async run(argv, options = {}) {
      return collect(await sandbox.start(argv, options), { ...options, outputBytes: options.limits?.outputBytes ?? LIMITS.outputBytes })
    },
    // A shell to type in runs inside the box only.
    openTerminal: null,
  }
  return sandbox
}

function launch(argv: readonly string[], { cwd = '/', env = {}, limits: wanted, signal }: StartOptions): Running {
  signal?.throwIfAborted()
  const limits = { ...LIMITS, ...wanted }
  const prlimits = [`--cpu=${Math.ceil(limits.cpuSeconds)}`, `--fsize=${limits.fileSizeBytes}`, '--core=0']
  const child = Bun.spawn([PRLIMIT, ...prlimits, '--', ...argv], {
    cwd,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: cwd, LANG: 'C.UTF-8', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const supervised = supervise(child, { limits, signal, kill: () => killGroup(child.pid) })
  enforceLimits(child.pid, supervised, { limits })
  // What it left behind ends with it.
  void supervised.ended.then(() => killGroup(child.pid))
  return overPipes(child, supervised)
}

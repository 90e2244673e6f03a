import { LIMITS, type Running, type Sandbox, type StartOptions } from './sandbox.ts'
import { enforceLimits } from './enforce-limits.ts'
import { supervise, overPipes, killGroup, collect } from './supervise.ts'

const PRLIMIT = '/usr/bin/prlimit'

/**
 * Runs programs without a sandbox: with the rights of this server, seeing everything it sees; `scope` and `binds` have no effect. Only for operators
 * who explicitly accept that. Time, output, memory, processes and the environment are limited all the same.
 */
export function createUnsandboxed(): Sandbox {
  const sandbox: Sandbox = {
    unavailable: async () => null,
    start: async (argv, options = {}) => launch(argv, options),
    async run(argv, options = {}) {
      return collect(await sandbox.start(argv, options), { ...options, outputBytes: options.limits?.outputBytes ?? LIMITS.outputBytes })
    },
    // Interactive shells run only in the sandbox.
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
  // Processes that it left behind are ended with it.
  void supervised.ended.then(() => killGroup(child.pid))
  return overPipes(child, supervised)
}

import { sandboxedProgram } from '../entries/entries.ts'
import { startProgram } from '../programs/start-program.ts'
import type { Running, Sandbox } from '../sandbox/sandbox.ts'

/** After a day the process is replaced. */
const DAY_SECONDS = 24 * 3600

export function startRenderer(sandbox: Sandbox): Promise<Running> {
  return startProgram(sandbox, {
    ...sandboxedProgram('render-program'),
    limits: { wallMs: DAY_SECONDS * 1000, cpuSeconds: DAY_SECONDS, fileSizeBytes: 64 * 1024 ** 2 },
  })
}

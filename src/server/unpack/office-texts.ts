import { sandboxedProgram } from '../entries/entries.ts'
import { startProgram, drain } from '../programs/start-program.ts'
import type { Outcome, Sandbox } from '../sandbox/sandbox.ts'

const LIMITS = { wallMs: 15_000, cpuSeconds: 10, fileSizeBytes: 0 }
const MAX_TEXT_BYTES = 8 * 1024 ** 2

type OfficeOutcome = Omit<Outcome, 'stderr'>

/** Extracts the text of the document behind a descriptor, which stays open, in UTF-8, one paragraph per line; cut after 8 MiB. */
export type ReadOffice = (descriptor: number, signal: AbortSignal) => Promise<OfficeOutcome>

/** Extracts text of office documents and books by a program of its own, which sees only that file. */
export function createOfficeReader(sandbox: Sandbox): ReadOffice {
  return async (input, signal) => {
    const program = await startProgram(sandbox, { ...sandboxedProgram('office-program'), input, limits: LIMITS, signal })
    void drain(program.stderr)
    program.endInput()
    const chunks: Uint8Array[] = []
    let left = MAX_TEXT_BYTES
    for await (const chunk of program.stdout) {
      chunks.push(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) break
    }
    if (left <= 0) program.kill()
    const { ended, exitCode } = await program.ended
    return { ended: left <= 0 ? 'too-much-output' : ended, exitCode, stdout: Buffer.concat(chunks) }
  }
}

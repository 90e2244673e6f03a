import { existsSync } from 'node:fs'
import { createQueue } from '../../../shared/queue.ts'
import type { Drive } from '../../drive/drive.ts'
import type { Ending, Sandbox } from '../../sandbox/sandbox.ts'

type OpenFile = Awaited<ReturnType<Drive['open']>>

/** The text of an open PDF in UTF-8, a form feed after each page; null where it has none that can be read. */
export type PdfTexts = (file: OpenFile, signal: AbortSignal) => Promise<Uint8Array | null>

const PROGRAM = '/usr/bin/pdftotext'
const PLACE = '/in'
const PAGES = 2000
const AT_ONCE = 2
const LIMITS = {
  wallMs: 15_000,
  cpuSeconds: 10,
  memoryBytes: 1024 ** 3,
  fileSizeBytes: 1024 ** 2,
  processes: 16,
  outputBytes: 8 * 1024 ** 2,
}
/** Of texts that are remembered. */
const KEPT_BYTES = 32 * 1024 ** 2
/** A remembered text takes so much besides its bytes. */
const KEPT_EACH_BYTES = 500

/**
 * By poppler where the machine has it, in the sandbox or not at all. The file is given by its descriptor, so its name reaches no command line. What
 * came of a file is remembered as long as it is the same and there is room, so that the next search need not start a program; what a busy machine
 * had no time for is tried again.
 */
export function createPdfTexts(sandbox: Sandbox): PdfTexts {
  const inTurn = createQueue(AT_ONCE)
  const kept = new Map<string, Uint8Array | null>()
  let keptBytes = 0

  function keep(key: string, text: Uint8Array | null): void {
    kept.set(key, text)
    keptBytes += sizeOf(text)
    for (const [oldest, old] of kept) {
      if (keptBytes <= KEPT_BYTES) break
      kept.delete(oldest)
      keptBytes -= sizeOf(old)
    }
  }

  return async ({ stat, descriptor }, signal) => {
    if (descriptor === null || !existsSync(PROGRAM) || (await sandbox.unavailable()) !== null) return null
    const key = `${stat.identity} ${stat.modified} ${stat.size}`
    const known = kept.get(key)
    if (known !== undefined) {
      // The longest unused goes first.
      kept.delete(key)
      kept.set(key, known)
      return known
    }
    const { ended, text } = await inTurn(() => textOf(sandbox, descriptor, signal), { signal })
    if (ended !== 'too-long' && !kept.has(key)) keep(key, text)
    return text
  }
}

async function textOf(sandbox: Sandbox, descriptor: number, signal: AbortSignal): Promise<{ ended: Ending; text: Uint8Array | null }> {
  const argv = [PROGRAM, '-q', '-enc', 'UTF-8', '-eol', 'unix', '-l', String(PAGES), PLACE, '-']
  const { ended, exitCode, stdout } = await sandbox.run(argv, { binds: [{ source: descriptor, target: PLACE }], limits: LIMITS, signal })
  signal.throwIfAborted()
  const isUsable = ended === 'too-much-output' || (ended === 'exited' && exitCode === 0)
  return { ended, text: isUsable && stdout.length > 0 ? new Uint8Array(stdout) : null }
}

function sizeOf(text: Uint8Array | null): number {
  return KEPT_EACH_BYTES + (text?.length ?? 0)
}

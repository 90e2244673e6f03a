import { existsSync } from 'node:fs'
import { extensionOf, fileType } from '../../../shared/file-type.ts'
import { createLru } from '../../../shared/lru.ts'
import { createSemaphore, EVERYBODY } from '../../../shared/semaphore.ts'
import type { Drive } from '../../drive/drive.ts'
import { type Outcome, type Sandbox, wasKilled } from '../../sandbox/sandbox.ts'

/** Starts a program that extracts the text of the file behind a descriptor. */
type ReadProgram = (descriptor: number, signal: AbortSignal) => Promise<Omit<Outcome, 'stderr'>>

type OpenFile = Awaited<ReturnType<Drive['open']>>

/** PDFs have pages; office documents and books have paragraphs without visible numbers. */
export type DocumentKind = 'pages' | 'paragraphs'

/** The text of an open document in UTF-8, with a form feed after each page of a PDF; null if there is none that can be read. */
export type DocumentTexts = (file: OpenFile, kind: DocumentKind, signal: AbortSignal) => Promise<Uint8Array | null>

const OFFICE = new Set('docx docm dotx dotm pptx pptm potx ppsx xlsx xlsm xltx odt ott ods ots odp otp epub'.split(' '))

/** By its name; null if it is not a document. */
export function documentKind(name: string): DocumentKind | null {
  if (fileType(name) === 'pdf') return 'pages'
  return OFFICE.has(extensionOf(name).slice(1).toLowerCase()) ? 'paragraphs' : null
}

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
/** Size of the text cache. */
const KEPT_BYTES = 32 * 1024 ** 2
/** Overhead of a cached text besides its bytes. */
const KEPT_EACH_BYTES = 500

/**
 * PDFs by poppler if installed, only in a sandbox; the others by our own program. The file is passed by descriptor, so its name is on no command
 * line. The text of an unchanged file is cached, so that the next search need not start a program; what failed on a busy machine is tried again.
 */
export function createDocumentTexts(sandbox: Sandbox, readOffice: ReadProgram): DocumentTexts {
  const slots = createSemaphore({ slots: AT_ONCE })
  const kept = createLru<string, Uint8Array | null>(KEPT_BYTES, { sizeOf: (text) => KEPT_EACH_BYTES + (text?.length ?? 0) })

  const readers: Record<DocumentKind, ReadProgram> = {
    pages: (descriptor, signal) => readPdf(sandbox, descriptor, signal),
    paragraphs: readOffice,
  }

  return async ({ stat, descriptor }, kind, signal) => {
    if (descriptor === null) return null
    if (kind === 'pages' && (!existsSync(PROGRAM) || (await sandbox.unavailable()) !== null)) return null
    const key = `${kind} ${stat.identity} ${stat.modified} ${stat.size}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const { isFinal, text } = await slots.run(EVERYBODY, () => textOf(readers[kind](descriptor, signal), signal), { signal })
    if (isFinal) kept.set(key, text)
    return text
  }
}

function readPdf(sandbox: Sandbox, descriptor: number, signal: AbortSignal): Promise<Outcome> {
  const argv = [PROGRAM, '-q', '-enc', 'UTF-8', '-eol', 'unix', '-l', String(PAGES), PLACE, '-']
  return sandbox.run(argv, { binds: [{ source: descriptor, target: PLACE }], limits: LIMITS, signal })
}

async function textOf(read: ReturnType<ReadProgram>, signal: AbortSignal): Promise<{ isFinal: boolean; text: Uint8Array | null }> {
  const { ended, exitCode, stdout } = await read
  signal.throwIfAborted()
  const isUsable = ended === 'too-much-output' || (ended === 'exited' && exitCode === 0)
  const text = isUsable && stdout.length > 0 ? new Uint8Array(stdout) : null
  return { isFinal: isUsable || !wasKilled({ ended, exitCode }), text }
}

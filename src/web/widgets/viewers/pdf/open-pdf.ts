import { getDocument, InvalidPDFException, PasswordResponses, type PDFDocumentProxy, PDFDataRangeTransport, PDFWorker } from 'pdfjs-dist'
import { trustedTypesPolicy } from '../../../ui/trusted-types.ts'
import type { ByteSource } from '../byte-source.ts'
import { PDF_FILES } from './pdf-files.ts'

/** Bytes of one request. */
const CHUNK_BYTES = 256 * 1024
/** Larger pictures within a page are left out: they would take more memory than phones have. */
const MOST_PIXELS = 64 * 1024 * 1024

export interface PasswordQuestion {
  /** Whether the answer before was wrong. */
  readonly isAgain: boolean
  readonly answer: (password: string) => void
}

export interface OpeningPdf {
  /** Fails with `InvalidPDFException` for what is no PDF, and with the reason if its bytes cannot be read. */
  readonly document: Promise<PDFDocumentProxy>
  close(): void
}

/**
 * Opens a PDF, of which only the parts that are shown are read. Its scripts never run, and nothing that it names is fetched.
 * @param onPassword called for a protected one, until the password is right
 */
export function openPdf(source: ByteSource, onPassword: (question: PasswordQuestion) => void): OpeningPdf {
  const control = new AbortController()
  const program = `${PDF_FILES}pdf.worker.js`
  const policy = trustedTypesPolicy('satchel-pdf', { createScriptURL: () => program })
  const thread = new Worker(policy?.createScriptURL(program) ?? program, { type: 'module' })
  const worker = PDFWorker.create({ port: thread })
  const failed = Promise.withResolvers<never>()
  // Until somebody waits for it.
  failed.promise.catch(() => undefined)
  const ranges = new Ranges(source, { signal: control.signal, onFailure: failed.reject })
  const task = getDocument({
    range: ranges,
    worker,
    rangeChunkSize: CHUNK_BYTES,
    disableAutoFetch: true,
    disableStream: true,
    maxImageSize: MOST_PIXELS,
    enableXfa: false,
    // WebAssembly would need `unsafe-eval` in the policy of the page.
    useWasm: false,
    wasmUrl: PDF_FILES,
    cMapUrl: PDF_FILES,
    standardFontDataUrl: PDF_FILES,
  })
  task.onPassword = (answer: (password: string) => void, reason: number) =>
    onPassword({ answer, isAgain: reason === PasswordResponses.INCORRECT_PASSWORD })
  return {
    document: Promise.race([task.promise, failed.promise]),
    close() {
      control.abort()
      void task.destroy().finally(() => thread.terminate())
    },
  }
}

/** Whether this is what `openPdf` fails with for a file that is no PDF or a damaged one. */
export function isNoPdf(error: unknown): boolean {
  return error instanceof InvalidPDFException
}

class Ranges extends PDFDataRangeTransport {
  readonly #source: ByteSource
  readonly #how: { readonly signal: AbortSignal; readonly onFailure: (error: unknown) => void }

  constructor(source: ByteSource, how: { signal: AbortSignal; onFailure: (error: unknown) => void }) {
    super(source.size, null)
    this.#source = source
    this.#how = how
  }

  override requestDataRange(begin: number, end: number): void {
    const { signal, onFailure } = this.#how
    void this.#source.read(begin, Math.min(end, this.#source.size), { signal }).then(
      (bytes) => this.onDataRange(begin, bytes),
      (error: unknown) => signal.aborted || onFailure(error),
    )
  }
}

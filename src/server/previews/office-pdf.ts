import { access } from 'node:fs/promises'
import { extensionOf } from '../../shared/file-type.ts'
import { type Bind, type Sandbox, wasKilled } from '../sandbox/sandbox.ts'
import type { Crashed, Failure, PdfCopy } from './picture.ts'

const PROGRAM = '/usr/bin/soffice'
/** Debian keeps what LibreOffice is told about itself here. */
const SETTINGS = '/etc/libreoffice'
const MAX_PDF_BYTES = 64 * 1024 ** 2
const LIMITS = {
  wallMs: 90_000,
  cpuSeconds: 60,
  // It reserves more than it uses.
  memoryBytes: null,
  totalMemoryBytes: 1024 ** 3,
  fileSizeBytes: MAX_PDF_BYTES,
  processes: 64,
  outputBytes: MAX_PDF_BYTES,
}

/**
 * An office document as a PDF, by LibreOffice if it is installed, only in a sandbox, with a new profile each time. The file is passed by descriptor, so
 * its name is on no command line; of the name only the extension counts, which tells LibreOffice what it is. Macros do not run.
 */
export async function pdfOf(
  sandbox: Sandbox,
  { name, descriptor, signal }: { name: string; descriptor: number; signal: AbortSignal },
): Promise<PdfCopy | Failure | Crashed> {
  if (!(await isThere(PROGRAM)) || (await sandbox.unavailable()) !== null) return 'not-previewable'
  const extension = extensionOf(name).slice(1).toLowerCase()
  const binds: Bind[] = [{ source: descriptor, target: `/in.${extension}` }]
  if (await isThere(SETTINGS)) binds.push({ source: SETTINGS, target: SETTINGS })
  const { ended, exitCode, stdout } = await sandbox.run(commandFor(extension), { binds, limits: LIMITS, signal })
  signal.throwIfAborted()
  if (ended === 'exited' && exitCode === 0 && stdout.length > 0) return { type: 'application/pdf', bytes: new Uint8Array(stdout) }
  if (ended === 'too-much-output') return 'too-large'
  return wasKilled({ ended, exitCode }) ? 'crashed' : 'not-previewable'
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** LibreOffice writes the PDF into a file of its own. */
function commandFor(extension: string): string[] {
  const options = '--headless --norestore --nolockcheck --nodefault --nologo'
  const convert = `${PROGRAM} -env:UserInstallation=file:///tmp/profile ${options} --convert-to pdf --outdir /tmp/out /in.${extension}`
  return ['/bin/sh', '-c', `${convert} >&2 && exec cat /tmp/out/in.pdf`]
}

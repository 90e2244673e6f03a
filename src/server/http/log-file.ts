import { closeSync, fstatSync, openSync, readdirSync, renameSync, statSync, unlinkSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const ROTATE_BYTES = 100 * 1024 * 1024
const KEPT_FILES = 10
const KEPT_MS = 14 * 24 * 3_600_000

export interface LogFile {
  write(text: string): void
  close(): void
}

/** Appends to a file; at `rotateBytes` it is renamed with its date. Ten of those are kept for two weeks. */
export function openLogFile(path: string, { clock, rotateBytes = ROTATE_BYTES }: { clock: () => Date; rotateBytes?: number }): LogFile {
  let fd = openSync(path, 'a', 0o640)
  let size = fstatSync(fd).size

  const rotate = (): void => {
    renameSync(path, `${path}.${clock().toISOString().replace(/[:.]/g, '-')}`)
    closeSync(fd)
    fd = openSync(path, 'a', 0o640)
    size = 0
    dropOld(path, clock())
  }

  return {
    write(text) {
      try {
        if (size > 0 && size + text.length > rotateBytes) rotate()
        size += writeSync(fd, text)
      } catch (error) {
        // A full disk must not fail the request that is logged.
        process.stderr.write(`log: ${error instanceof Error ? error.message : String(error)}: ${text}`)
      }
    },
    close: () => closeSync(fd),
  }
}

function dropOld(path: string, now: Date): void {
  const folder = dirname(path)
  const isAside = (name: string): boolean => name.startsWith(`${basename(path)}.`) && /\.\d{4}-\d\d-\d\dT[\d-]+Z$/.test(name)
  const aside = readdirSync(folder).filter(isAside).toSorted().toReversed()
  for (const [i, name] of aside.entries()) {
    const file = join(folder, name)
    if (i >= KEPT_FILES || now.getTime() - statSync(file).mtimeMs > KEPT_MS) unlinkSync(file)
  }
}

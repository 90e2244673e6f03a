import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { orElse, codeOf } from '../../shared/errors.ts'
import { join } from 'node:path'

/** In the served folder: records that it was served, and with which database. */
export const MARKER = join('.satchel', 'installed')
/** In the data folder: the folder that was served last and had its marker. */
const RECORD = 'served-folder'

interface Places {
  readonly root: string
  readonly dataDir: string
}

/**
 * Whether this folder was served before and has lost its marker. Its disk is probably not mounted, and this is the empty mount point: uploads would
 * be hidden when the disk comes back.
 */
export function hasLostMarker({ root, dataDir }: Places): boolean {
  return readRecord(dataDir) === root && !hasMarker(root)
}

/** Call this when the marker was written, or could not be. Without room for it, a later start records it. */
export function rememberRoot({ root, dataDir }: Places): void {
  if (!hasMarker(root) || readRecord(dataDir) === root) return
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, RECORD)
  try {
    writeFileSync(`${file}.new`, `${root}\n`, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  } catch (error) {
    rmSync(`${file}.new`, { force: true })
    if (!['ENOSPC', 'EDQUOT'].includes(codeOf(error))) throw error
  }
}

/** A marker that cannot be read exists. */
function hasMarker(root: string): boolean {
  try {
    return lstatSync(join(root, MARKER), { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return codeOf(error) !== 'ENOTDIR'
  }
}

function readRecord(dataDir: string): string | null {
  return orElse(null, () => readFileSync(join(dataDir, RECORD), 'utf8').trimEnd())
}

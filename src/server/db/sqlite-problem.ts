import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseProblem } from './problem.ts'
import { codeOf, orElse } from '../../shared/errors.ts'

/** Less than SQLite needs for one change. */
const NO_ROOM_BYTES = 64 * 1024

/** Whether it failed because the disk is full. If a file cannot grow, SQLite reports only a generic error. */
export function isNoRoom(error: unknown, file: string | null): boolean {
  const code = codeOf(error)
  if (code === 'SQLITE_FULL') return true
  const mayBe = code.startsWith('SQLITE_IOERR') || code.startsWith('SQLITE_CANTOPEN')
  return mayBe && file !== null && freeBytes(file) < NO_ROOM_BYTES
}

function freeBytes(file: string): number {
  const stat = orElse(null, () => statfsSync(dirname(file)))
  return stat === null ? Number.POSITIVE_INFINITY : stat.bavail * stat.bsize
}

/** Describes a file that cannot be used; null if the file is not the reason. */
export function problemWith(file: string, error: unknown): DatabaseProblem | null {
  const code = codeOf(error)
  const about = textOf(file, code, error)
  return about === null ? null : new DatabaseProblem(about, { cause: error })
}

function textOf(file: string, code: string, error: unknown): string | null {
  const message = error instanceof Error ? error.message : ''
  if (isNoRoom(error, file)) return `there is no room on the disk of ${file}: make some and start again. Nothing was changed`
  if (code === 'SQLITE_NOTADB') return `${file} is not a database of this program`
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_IOERR_SHORT_READ')
    return `${file} is damaged (${message}): put a backup in its place with satchel restore`
  if (code.startsWith('SQLITE_READONLY')) return `${file} cannot be written: it, or the folder it lies in, is read-only for this account`
  if (code.startsWith('SQLITE_CANTOPEN') || code === 'SQLITE_PERM' || code === 'SQLITE_AUTH')
    return `${file}, or the files beside it that begin with its name, cannot be opened by this account (uid ${process.getuid?.() ?? '?'})`
  if (code.startsWith('SQLITE_IOERR')) return `${file} cannot be read or written: the disk says ${message}`
  return null
}

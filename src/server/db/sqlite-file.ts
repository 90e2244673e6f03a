import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../../shared/errors.ts'
import { giveToOwner } from './owner.ts'
import { DatabaseProblem } from './problem.ts'

/** Why a database cannot be made or opened, and what to do, by the system's code. */
const REASONS: Readonly<Record<string, string>> = {
  EROFS: 'its disk is read-only; mount it writable, or name another place with --data or --database',
  ENOSPC: 'its disk is full; make room and try again',
  ENOTDIR: 'a part of this path is a file; name another place with --data or --database',
}
const OTHER_REASON = 'it belongs to another account, or lies in a place that cannot be used'

/** SQLite creates its log with the mode of the database: nobody else can read password hashes. Throws `DatabaseProblem`. */
export function makeReady(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    create(file)
    chmodSync(file, 0o600)
  } catch (error) {
    throw new DatabaseProblem(`${file} cannot be written (${codeOf(error)}): ${REASONS[codeOf(error)] ?? OTHER_REASON}`, { cause: error })
  }
}

function create(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600))
    giveToOwner(file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    closeSync(openSync(file, 'a', 0o600))
  }
}

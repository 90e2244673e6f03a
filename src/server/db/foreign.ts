import { closeSync, openSync, readSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { constants, Database } from 'bun:sqlite'
import { orElse } from '../../shared/errors.ts'
import { DatabaseProblem } from './problem.ts'
import { shellWord } from './shell-word.ts'

/** Position and value of the magic number in the first page of a bolt file (bbolt, `meta.magic`), in machine byte order. */
const MAGIC_AT = 16
const MAGIC = Buffer.from([0xed, 0xda, 0x0c, 0xed])
const SQLITE = Buffer.from('SQLite format 3\0')
/** A table that Quantum has and this program has not. */
const QUANTUM_TABLE = 'access_rules'

/** What to do with a file that is a database of another server; null for any other file. */
export function foreignProblem(file: string): string | null {
  const product = productOf(file)
  if (product === null) return null
  return (
    `${file} is a database of ${product}. "satchel migrate ${shellWord(file)}" moves its accounts, settings and links into a new database; ` +
    '--data or --database names a place for that'
  )
}

/** Throws `DatabaseProblem` before the file is changed. */
export function refuseForeign(file: string): void {
  const problem = foreignProblem(file)
  if (problem !== null) throw new DatabaseProblem(problem)
}

/** File Browser uses bolt, Quantum bolt and then SQLite. Opening the file for use will report whatever prevents reading it here. */
function productOf(file: string): string | null {
  const head = orElse(Buffer.alloc(0), () => headOf(file))
  if (head.subarray(MAGIC_AT).equals(MAGIC)) return 'File Browser'
  const isQuantum = head.subarray(0, SQLITE.length).equals(SQLITE) && orElse(false, () => hasQuantumTable(file))
  return isQuantum ? 'FileBrowser Quantum' : null
}

function headOf(file: string): Buffer {
  const head = Buffer.alloc(MAGIC_AT + MAGIC.length)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, head, 0, head.length, 0)
    return head
  } finally {
    closeSync(handle)
  }
}

/** As immutable, so that nothing is written beside it. */
function hasQuantumTable(file: string): boolean {
  using db = new Database(`${pathToFileURL(file).href}?immutable=1`, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
  return db.query('select name from sqlite_schema where name = ?').get(QUANTUM_TABLE) !== null
}

import { closeSync, openSync, readSync } from 'node:fs'
import { DatabaseProblem } from './problem.ts'

/** Position and value of the magic number in the first page of a bolt file (bbolt, `meta.magic`), in machine byte order. */
const MAGIC_AT = 16
const MAGIC = Buffer.from([0xed, 0xda, 0x0c, 0xed])

/** Whether a file is a database of the predecessor, which used bolt. */
export function isBolt(file: string): boolean {
  const head = Buffer.alloc(MAGIC_AT + MAGIC.length)
  try {
    const handle = openSync(file, 'r')
    try {
      readSync(handle, head, 0, head.length, 0)
    } finally {
      closeSync(handle)
    }
  } catch {
    // Opening it for use will report the error.
    return false
  }
  return head.subarray(MAGIC_AT).equals(MAGIC)
}

/** Describes the file and what to do. */
export function boltProblem(file: string): string {
  return (
    `${file} is a database of File Browser. "satchel migrate ${file}" moves its accounts, settings and links into a new database; ` +
    '--data or --database names a place for that'
  )
}

/** Throws `DatabaseProblem` before the file is changed. */
export function refuseForeign(file: string): void {
  if (isBolt(file)) throw new DatabaseProblem(boltProblem(file))
}

import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { ConfigError } from '../../config/config-error.ts'
import { readBolt } from './bolt.ts'
import { readFileBrowser } from './file-browser.ts'
import type { OldDatabase } from './old-database.ts'
import { fromQuantum, type QuantumOptions } from './quantum.ts'
import { isQuantum, readQuantumBolt, readQuantumSqlite } from './quantum-records.ts'

const SQLITE = 'SQLite format 3\0'

/** Reads a database of either product without writing to it, whether or not its server runs. Throws `ConfigError`. */
export function readOldDatabase(path: string, options: QuantumOptions): OldDatabase {
  if (!existsSync(path)) throw new ConfigError(`there is no file ${path}, or this account may not look for it`)
  if (statSync(path).isDirectory()) throw new ConfigError(`${path} is a folder; name the file in it that is the database`)
  try {
    if (isSqlite(path)) return fromQuantum(readQuantumSqlite(path), options)
    const file = readBolt(path)
    return isQuantum(file) ? fromQuantum(readQuantumBolt(file), options) : readFileBrowser(file)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`${path} cannot be read as a database of File Browser: ${reason}`, { cause: error })
  }
}

function isSqlite(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(SQLITE.length)
    readSync(file, head, 0, head.length, 0)
    return head.toString('latin1') === SQLITE
  } finally {
    closeSync(file)
  }
}

import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, readdirSync, readSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { statAt } from './nodes.ts'
import { openRegular } from './open-file.ts'
import { PRIVATE_NAME } from './private-name.ts'
import { openFolder } from './open-folder.ts'
import { entryPath, type Folder } from './proc-paths.ts'

/** The marker file in the private folder of the marked folder. */
const NAME = 'mark'
const FORM = /^m[\w-]{22}$/
const LENGTH = 23

/** The marker of an open folder; null if it has none and, with `make`, cannot hold one. */
export function folderMark(folder: Folder, { make }: { make: boolean }): string | null {
  const found = readMark(folder)
  if (found !== null || !make) return found
  try {
    if (statAt(folder, PRIVATE_NAME) === null) mkdirSync(entryPath(folder, PRIVATE_NAME), 0o700)
    using inner = openFolder(folder, [PRIVATE_NAME])
    writeFileSync(entryPath(inner, NAME), `m${randomBytes(16).toString('base64url')}`, { flag: 'wx', mode: 0o600 })
  } catch {
    // It was marked at the same time, or cannot be written; then no marker can be replaced through this server either.
  }
  return readMark(folder)
}

/** Removes the marker, or the remains of making one, if the folder holds nothing else. @returns whether it removed something */
export function removeLoneMark(folder: Folder): boolean {
  if (readdirSync(entryPath(folder, '.')).join() !== PRIVATE_NAME) return false
  using inner = openFolder(folder, [PRIVATE_NAME])
  const names = readdirSync(entryPath(inner, '.'))
  if (names.some((name) => name !== NAME)) return false
  for (const name of names) unlinkSync(entryPath(inner, name))
  rmdirSync(entryPath(folder, PRIVATE_NAME))
  return true
}

function readMark(folder: Folder): string | null {
  try {
    using inner = openFolder(folder, [PRIVATE_NAME])
    const text = firstBytes(inner)
    return FORM.test(text) ? text : null
  } catch {
    return null
  }
}

/** A user's program may have written anything there (decision 034), so at most one byte more than a mark is read. */
function firstBytes(inner: Folder): string {
  const { fd } = openRegular(inner, NAME)
  try {
    const bytes = new Uint8Array(LENGTH + 1)
    return Buffer.from(bytes.subarray(0, readSync(fd, bytes))).toString('latin1')
  } finally {
    closeSync(fd)
  }
}

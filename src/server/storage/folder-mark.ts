import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { statAt } from './nodes.ts'
import { PRIVATE_NAME } from './private-name.ts'
import { openFolder } from './open-folder.ts'
import { entry, type Folder } from './walk.ts'

/** In the private folder of the folder that is marked. */
const NAME = 'mark'
const FORM = /^m[\w-]{22}$/

/** Of an open folder; null where it has none and, with `make`, can hold none. */
export function folderMark(folder: Folder, { make }: { make: boolean }): string | null {
  const found = readMark(folder)
  if (found !== null || !make) return found
  try {
    if (statAt(folder, PRIVATE_NAME) === null) mkdirSync(entry(folder, PRIVATE_NAME), 0o700)
    using inner = openFolder(folder, [PRIVATE_NAME])
    writeFileSync(entry(inner, NAME), `m${randomBytes(16).toString('base64url')}`, { flag: 'wx', mode: 0o600 })
  } catch {
    // Somebody else marked it at the same time, or it cannot be written: then nobody puts another in its place through us either.
  }
  return readMark(folder)
}

/** Takes the mark away where nothing else is in the folder. @returns whether that was so */
export function removeLoneMark(folder: Folder): boolean {
  if (readdirSync(entry(folder, '.')).join() !== PRIVATE_NAME) return false
  using inner = openFolder(folder, [PRIVATE_NAME])
  if (readdirSync(entry(inner, '.')).join() !== NAME) return false
  unlinkSync(entry(inner, NAME))
  rmdirSync(entry(folder, PRIVATE_NAME))
  return true
}

function readMark(folder: Folder): string | null {
  try {
    using inner = openFolder(folder, [PRIVATE_NAME])
    const text = statAt(inner, NAME)?.kind === 'file' ? readFileSync(entry(inner, NAME), 'utf8') : ''
    return FORM.test(text) ? text : null
  } catch {
    return null
  }
}

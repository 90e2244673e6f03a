import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../../package.json'
import { HOME } from '../../../src/server/entries/entries.ts'

/** A file that `npm run release` has made. Throws if it has not. @param ending what follows the version in its name */
export function made(ending: string, start = 'satchel-'): string {
  const file = join(HOME, 'release', `${start}${version}${ending}`)
  if (!existsSync(file)) throw new Error(`${file} is missing: run npm run release`)
  return file
}

/** Tools from other registries, which `npm run test:release` installs. */
export const TOOLS = join(HOME, 'release/tools')

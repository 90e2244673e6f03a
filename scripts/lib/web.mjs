import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { HOME } from './packages.mjs'

export const WEB = join(HOME, 'dist/web')
/** Written when a build is complete, so that half a build is not taken for one. */
export const STAMP = join(HOME, 'dist/web.built')
/** Written by the build: the files of packages that went in, as a JSON list. */
export const WEB_PACKAGES = join(HOME, 'dist/web.packages.json')

const SOURCES = ['src/web', 'src/shared', 'vite.config.ts', 'package-lock.json', 'scripts/build.mjs', 'scripts/openapi']

/** Whether the built web is there and no source is newer; a removed source counts, as its folder is newer then. */
export function isWebBuilt() {
  if (!existsSync(STAMP) || !existsSync(join(WEB, 'index.html'))) return false
  const built = statSync(STAMP).mtimeMs
  return SOURCES.every((source) => newest(join(HOME, source)) <= built)
}

function newest(path) {
  const found = statSync(path)
  if (!found.isDirectory()) return found.mtimeMs
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

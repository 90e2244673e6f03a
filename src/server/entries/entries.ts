import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * What is started by its place instead of being imported, by name, relative to `src/server`. The build makes one file of each
 * (`scripts/build-server.ts`), and they lie side by side: the program and its threads …
 */
export const SERVER = {
  main: 'main.ts',
  'compress-worker': 'archives/compress-worker.ts',
  'folder-worker': 'files/folder-worker.ts',
  'index-worker': 'index/index-worker.ts',
  'list-worker': 'storage/list-worker.ts',
  'match-worker': 'search/content/match-worker.ts',
  'read-worker': 'storage/read-worker.ts',
} as const

/** … and, in a folder that holds nothing else, the programs that run in a sandbox, with a thread of theirs. */
export const SANDBOXED = {
  'render-program': 'previews/render-program.ts',
  'unpack-program': 'unpack/unpack-program.ts',
  'office-program': 'unpack/office-program.ts',
  'seven-zip-worker': 'unpack/seven-zip-worker.ts',
} as const

export const SANDBOXED_FOLDER = 'sandboxed'

/** What programs in a sandbox import besides their own area. */
const COMMON = ['entries', 'programs'] as const

/** This file is a part of whatever runs: TypeScript here, JavaScript in a build. */
const IS_BUILT = import.meta.path.endsWith('.js')

/** The folder this program lies in: as deep below it are `src/server/entries` and the server of a build. */
export const HOME = resolve(import.meta.dir, '../../..')

type Thread = Exclude<keyof typeof SERVER, 'main'> | 'seven-zip-worker'

/** Where a thread's program lies, for whoever is of the same build. */
export function threadProgram(name: Thread): URL {
  const source = { ...SERVER, ...SANDBOXED }[name]
  return pathToFileURL(IS_BUILT ? join(import.meta.dir, `${name}.js`) : join(import.meta.dir, '..', source))
}

export interface ProgramPlace {
  /** Absolute: the file that is run. */
  readonly file: string
  /** Absolute: they hold it and all it imports, except packages. No two have the same name, and each stays beside the others. */
  readonly folders: readonly string[]
}

/** Where a program for the sandbox lies, for the server. */
export function sandboxedProgram(name: Exclude<keyof typeof SANDBOXED, 'seven-zip-worker'>): ProgramPlace {
  const file = IS_BUILT ? join(import.meta.dir, SANDBOXED_FOLDER, `${name}.js`) : join(import.meta.dir, '..', SANDBOXED[name])
  const folders = IS_BUILT ? [] : COMMON.map((area) => join(import.meta.dir, '..', area))
  return { file, folders: [dirname(file), ...folders] }
}

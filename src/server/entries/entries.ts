import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Programs that are started by file name instead of being imported, relative to `src/server`. The build makes one file of each
 * (`scripts/build-server.ts`), all in one folder: the server and its threads …
 */
export const SERVER = {
  main: 'main.ts',
  'compress-worker': 'archives/compress-worker.ts',
  'disk-worker': 'storage/disk-worker.ts',
  'folder-worker': 'files/folder-worker.ts',
  'index-worker': 'index/index-worker.ts',
  'list-worker': 'storage/list-worker.ts',
  'match-worker': 'search/content/match-worker.ts',
  'read-worker': 'storage/read-worker.ts',
  'snapshot-worker': 'storage/snapshot-worker.ts',
} as const

/** … and, in a folder of their own, the programs that run in a sandbox, with one of their threads. */
export const SANDBOXED = {
  'render-program': 'previews/render-program.ts',
  'unpack-program': 'unpack/unpack-program.ts',
  'office-program': 'unpack/office-program.ts',
  'seven-zip-worker': 'unpack/seven-zip-worker.ts',
} as const

export const SANDBOXED_FOLDER = 'sandboxed'

/** What sandboxed programs import besides their own area. */
const COMMON = ['entries', 'programs'] as const

/** This file is part of whatever runs: TypeScript here, JavaScript in a build. */
const IS_BUILT = import.meta.path.endsWith('.js')

/** The root folder of the program; `src/server/entries` and a built server are at the same depth below it. */
export const HOME = resolve(import.meta.dir, '../../..')

type Thread = Exclude<keyof typeof SERVER, 'main'> | 'seven-zip-worker'

/** The file of a thread, for the same build. */
export function threadProgram(name: Thread): URL {
  const source = { ...SERVER, ...SANDBOXED }[name]
  return pathToFileURL(IS_BUILT ? join(import.meta.dir, `${name}.js`) : join(import.meta.dir, '..', source))
}

export interface ProgramPlace {
  /** Absolute path of the file to run. */
  readonly file: string
  /**
   * Absolute paths of the folders that contain it and all its imports, except packages. No two have the same name, and their relative positions are
   * kept.
   */
  readonly folders: readonly string[]
}

/** The files of a sandboxed program, for the server. */
export function sandboxedProgram(name: Exclude<keyof typeof SANDBOXED, 'seven-zip-worker'>): ProgramPlace {
  const file = IS_BUILT ? join(import.meta.dir, SANDBOXED_FOLDER, `${name}.js`) : join(import.meta.dir, '..', SANDBOXED[name])
  const folders = IS_BUILT ? [] : COMMON.map((area) => join(import.meta.dir, '..', area))
  return { file, folders: [dirname(file), ...folders] }
}

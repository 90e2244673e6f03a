import { expect, it } from 'bun:test'
import type { FilePath } from '../../shared/file-path.ts'
import type { Columns, FindOptions, Stat, Storage } from './storage.ts'

/**
 * A promise that an adapter may be unable to keep. `links`: nodes can be symbolic links. `nodes`: a node that is moved, kept or restored is the same
 * one, with its identity and times. `attributes`: modes and times can be set. `old content`: an open file keeps its content when it is replaced.
 * `bytes in names`: names are bytes, UTF-8 or not.
 */
export type Unkept = 'links' | 'nodes' | 'attributes' | 'old content' | 'bytes in names'

export interface SuiteOptions {
  readonly cannot?: readonly Unkept[]
  /** Names that the service of the adapter does not store, for reasons of its own. */
  readonly unstorable?: readonly string[]
}

/**
 * Registers a test of this promise. For an adapter that says that it cannot keep it, the same test runs and has to fail, so that no promise is called unkept
 * that is kept.
 */
export function promised({ cannot = [] }: SuiteOptions, what: Unkept): (name: string, test: () => Promise<void>) => void {
  if (!cannot.includes(what)) return it
  return (name, test) => it(`cannot: ${name}`, () => expect(test()).rejects.toThrow())
}

/** What a node keeps when it is moved, as far as the adapter can. */
export function lastingIn({ cannot = [] }: SuiteOptions, stat: Stat | null): Partial<Stat> | null {
  if (stat === null || !cannot.includes('nodes')) return stat
  return { kind: stat.kind, size: stat.size, mode: stat.mode }
}

export function namesFor({ cannot = [], unstorable = [] }: SuiteOptions): string[] {
  const names = cannot.includes('bytes in names') ? ODD_NAMES.filter((name) => name.isWellFormed()) : ODD_NAMES
  return names.filter((name) => !unstorable.includes(name))
}

/** A storage under test, with changes to its disk that bypass it. */
export interface Sample {
  readonly storage: Storage
  /** Makes a link, like a program with access to the disk. An absolute target starts at the storage's root. Missing where there are no links. */
  plantLink?(path: FilePath, target: string): Promise<void>
  dispose(): Promise<void>
}

export type MakeSample = () => Promise<Sample>

/** Names that some programs handle incorrectly. */
export const ODD_NAMES = [
  `100% a+b?#é'"<b>.txt`,
  '..hidden',
  '...',
  'a\\b',
  '🗂️ 🇦🇹.txt',
  'ملف جديد.txt',
  'e\u0301 and \u00e9',
  'x'.repeat(255),
  '€'.repeat(85),
  'trailing space ',
  ' ',
  'new\nline',
  'tab\tand\u0001and\u202erlo',
  '-rf',
  'CON',
  'satchel',
  'not-utf8-\udcff\udcfe',
  '\udc80',
]

/** Every spelling that some file system could take for the private folder. */
export const PRIVATE_NAMES = ['.satchel', '.SATCHEL', '.Satchel', '.\u017fatchel', '.sat\u200dchel', '.satchel.', '.satchel ', 'SATCHE~1']

export async function write(storage: Storage, path: FilePath, text: string | Uint8Array, options = { replace: false }): Promise<void> {
  const staged = storage.stage(crypto.randomUUID(), { near: path })
  await staged.append(typeof text === 'string' ? new TextEncoder().encode(text) : text)
  await staged.commit(path, options)
}

export async function read(storage: Storage, path: FilePath): Promise<string> {
  await using file = await storage.open(path)
  return await new Response(file.stream(0, file.stat.size)).text()
}

/** The code of the error of `operation`; `none` if it does not fail. */
export async function failure(operation: Promise<unknown>): Promise<string> {
  try {
    await operation
    return 'none'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

export function sortedNames({ names }: Columns): string[] {
  return [...names].sort()
}

/** A stream of `chunks`, one at a time, on demand. */
export function streamOf(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  const left = [...chunks]
  return new ReadableStream({
    pull(controller) {
      const chunk = left.shift()
      if (chunk === undefined) controller.close()
      else controller.enqueue(chunk)
    },
  })
}

/** The path at the end of a walk. */
export async function locate(storage: Storage, path: FilePath, options: FindOptions): Promise<FilePath> {
  using handle = await storage.find(path, options)
  return handle.path
}

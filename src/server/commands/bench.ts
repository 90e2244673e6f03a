import { readFileSync } from 'node:fs'
import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, nameOf, parseFilePath, pathFrom, placeUnder } from '../../shared/file-path.ts'
import { type Access, inScope } from '../access/access.ts'
import type { Drive } from '../drive/drive.ts'
import { type Limits, type Sandbox, type Scope, SCOPE_PLACE, type StartOptions } from '../sandbox/sandbox.ts'

/** Where programs run. */
export interface Exec {
  readonly sandbox: Sandbox
  /** False where the operator accepts that programs see what the server sees. */
  readonly boxed: boolean
  /** The folder of this machine that is a place of the storage. */
  readonly folderOf: (place: FilePath) => string
  /** Other than `limits.ts` says. */
  readonly limits?: {
    readonly hook?: Partial<Limits>
    readonly command?: Partial<Limits>
    readonly terminal?: Partial<Limits & { idleMs: number }>
  }
}

/** A person's files as a program finds them. */
export interface Bench {
  /** The person's own root, as the program sees it. */
  readonly root: string
  /** One of the person's paths, as the program sees it. */
  inside(path: FilePath): string
  readonly start: Pick<StartOptions, 'scope'>
}

/** More denied places than this are not looked for; nothing is run then. */
const MAX_LOOKED_AT = 100_000

/**
 * Opens a person's scope for a program: writable only for who may create, change, rename and delete; what rules deny is empty and closed.
 * Who may not read files (no download right) gets an empty place.
 */
export async function openBench({ exec, house }: { exec: Exec; house: Drive }, access: Access): Promise<Bench> {
  const place = await house.place(access.scope, 'follow')
  const folder = exec.folderOf(place)
  if (access.rules.verdict(parseFilePath('/')) === 'denied') fail('not-found', {})
  const { download, create, modify, rename, delete: remove } = access.may
  const scope: Scope = {
    folder,
    writable: create && modify && rename && remove,
    masked: [...(await deniedIn(house, place, access)), ...privateFoldersIn(folder)],
  }
  const root = exec.boxed ? SCOPE_PLACE : folder
  return {
    root,
    inside: (path) => (path === '/' ? root : root + inScope(access, path)),
    start: exec.boxed && !download ? {} : { scope },
  }
}

/** Places that a rule denies, relative to the scope. Links are left out: what they lead to is closed under its own name. */
async function deniedIn(house: Drive, place: FilePath, { rules }: Access): Promise<string[]> {
  if (rules.neverDenies) return []
  const denied = rules.deniedPaths === null ? await findDenied(house, place, rules) : rules.deniedPaths
  const real: string[] = []
  for (const path of denied) if (await isReal(house, placeUnder(place, parseFilePath(path)))) real.push(path)
  return real
}

async function findDenied(house: Drive, place: FilePath, rules: Access['rules']): Promise<string[]> {
  const denied: string[] = []
  let looked = 0
  for await (const { path, target } of house.walk(place)) {
    if (++looked > MAX_LOOKED_AT) fail('busy', { path: nameOf(place) })
    const own = target === null ? pathFrom(place, path) : null
    if (own === null || denied.some((closed) => own.startsWith(`${closed}/`))) continue
    if (rules.verdict(own) === 'denied') denied.push(own)
  }
  return denied
}

async function isReal(house: Drive, place: FilePath): Promise<boolean> {
  try {
    return (await house.place(place, 'follow')) === place
  } catch (error) {
    if (isAppError(error, 'not-found')) return false
    throw error
  }
}

/** What the product keeps at the root of each file system (decision 18). */
function privateFoldersIn(folder: string): string[] {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => unescaped(line.split(' ')[4] ?? ''))
    .filter((mount) => mount.startsWith(folder === '/' ? '/' : `${folder}/`))
  return ['/.satchel', ...mounts.map((mount) => `${mount.slice(folder.length)}/.satchel`)]
}

/** Mount points are listed with blanks as `\040`. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}

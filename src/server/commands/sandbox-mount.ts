import { lstatSync, readFileSync } from 'node:fs'
import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, nameOf, nameToBytes, parseFilePath, pathFrom, placeUnder } from '../../shared/file-path.ts'
import { type Access, inScope } from '../access/access.ts'
import type { Drive } from '../drive/drive.ts'
import { type Limits, type Sandbox, type Scope, SCOPE_PATH, type StartOptions } from '../sandbox/sandbox.ts'

/** Where programs run. */
export interface Exec {
  readonly sandbox: Sandbox
  /** False where the operator accepts that programs see what the server sees. */
  readonly sandboxed: boolean
  /** The folder of this machine that is a place of the storage. */
  readonly folderOf: (place: FilePath) => string
  /** False only in tests, to show what comes of it: what changes on the disk while a program runs ends it not. */
  readonly endsOnChange?: boolean
  /** Other than `limits.ts` says. */
  readonly limits?: {
    readonly hook?: Partial<Limits>
    readonly command?: Partial<Limits>
    readonly terminal?: Partial<Limits & { idleMs: number }>
  }
}

/** A person's files as a program finds them. */
export interface SandboxMount {
  /** The person's own root, as the program sees it. */
  readonly root: string
  /** One of the person's paths, as the program sees it. */
  inside(path: FilePath): string
  readonly start: Pick<StartOptions, 'scope'>
  /** What rules deny and the program finds empty and closed, relative to the scope. */
  readonly masked: readonly string[]
  /** Folders of this machine in which something denied may come to be, as far as rules name it. */
  readonly watched: readonly string[]
  /** Whether what rules name, or was found to be denied, is still what was covered, or nothing. */
  isMasked(): boolean
  /** Whether a look through the whole tree finds nothing denied that was not covered. */
  isComplete(): Promise<boolean>
}

/** More denied places than this are not looked for; nothing is run then. */
const MAX_SCANNED = 100_000

/**
 * Opens a person's scope for a program: writable only for who may create, change, rename and delete; what rules deny is empty and closed.
 * Who may not read files (no download right) gets an empty place.
 */
export async function openSandboxMount({ exec, systemDrive }: { exec: Exec; systemDrive: Drive }, access: Access): Promise<SandboxMount> {
  const place = await systemDrive.place(access.scope, 'follow')
  const folder = exec.folderOf(place)
  if (access.rules.verdict(parseFilePath('/')) === 'denied') fail('not-found', {})
  const { download, create, modify, rename, delete: remove } = access.may
  const masked = await deniedIn(systemDrive, place, access)
  const scope: Scope = {
    folder,
    writable: create && modify && rename && remove,
    masked: [...masked, ...privateFoldersIn(folder)],
  }
  const named = [...new Set([...masked, ...(access.rules.deniedPaths ?? [])])]
  const before = new Map(named.map((path) => [path, identityAt(folder + path)]))
  const root = exec.sandboxed ? SCOPE_PATH : folder
  return {
    root,
    inside: (path) => (path === '/' ? root : root + inScope(access, path)),
    start: exec.sandboxed && !download ? {} : { scope },
    masked,
    watched: [...new Set(named.flatMap((path) => foldersAbove(folder, path)))],
    isMasked: () => named.every((path) => [null, before.get(path)].includes(identityAt(folder + path))),
    isComplete: async () => (await deniedIn(systemDrive, place, access)).every((path) => before.has(path)),
  }
}

/** Which node is there; null for none. */
function identityAt(path: string): string | null {
  const stat = lstatSync(Buffer.from(nameToBytes(path)), { throwIfNoEntry: false, bigint: true })
  return stat === undefined ? null : `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`
}

/** Those that are there, from the scope down. */
function foldersAbove(folder: string, path: string): string[] {
  const names = path.split('/').slice(1, -1)
  const folders = [folder, ...names.map((_, at) => `${folder}/${names.slice(0, at + 1).join('/')}`)]
  return folders.filter((one) => lstatSync(Buffer.from(nameToBytes(one)), { throwIfNoEntry: false })?.isDirectory() === true)
}

/** Places that a rule denies, relative to the scope. Links are left out: what they lead to is closed under its own name. */
async function deniedIn(systemDrive: Drive, place: FilePath, { rules }: Access): Promise<string[]> {
  if (rules.neverDenies) return []
  const denied = rules.deniedPaths === null ? await findDenied(systemDrive, place, rules) : rules.deniedPaths
  const real: string[] = []
  for (const path of denied) if (await isReal(systemDrive, placeUnder(place, parseFilePath(path)))) real.push(path)
  return real
}

async function findDenied(systemDrive: Drive, place: FilePath, rules: Access['rules']): Promise<string[]> {
  const denied: string[] = []
  let looked = 0
  for await (const { path, target } of systemDrive.walk(place)) {
    if (++looked > MAX_SCANNED) fail('busy', { path: nameOf(place) })
    const own = target === null ? pathFrom(place, path) : null
    if (own === null || denied.some((closed) => own.startsWith(`${closed}/`))) continue
    if (rules.verdict(own) === 'denied') denied.push(own)
  }
  return denied
}

async function isReal(systemDrive: Drive, place: FilePath): Promise<boolean> {
  try {
    return (await systemDrive.place(place, 'follow')) === place
  } catch (error) {
    if (isAppError(error, 'not-found')) return false
    throw error
  }
}

/** What the product keeps at the root of each file system. */
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

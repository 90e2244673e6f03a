import { lstatSync } from 'node:fs'
import { fail, nullOn } from '../../shared/errors.ts'
import { type FilePath, nameOf, nameToBytes, parseFilePath, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import { type Access, inScope, rightsInScope } from '../access/access.ts'
import { requiringRight } from '../access/requiring.ts'
import type { Drive } from '../drive/drive.ts'
import { findPrivateFolders, type PrivateUse } from './private-folders.ts'
import { type Limits, type Sandbox, type Scope, SCOPE_PATH } from '../sandbox/sandbox.ts'

/** Where programs run. */
export interface Exec {
  readonly sandbox: Sandbox
  /** False if the operator accepts that programs see what the server sees. */
  readonly sandboxed: boolean
  readonly folderOf: (place: FilePath) => string
  /** Further roots: a program whose scope is the top folder does not find them, nor what they hide there. */
  readonly otherRoots?: readonly FilePath[]
  /** False only in tests, to show what happens otherwise: changes on the disk then do not end a running program. */
  readonly endsOnChange?: boolean
  /** Overrides of `limits.ts`. */
  readonly limits?: {
    readonly hook?: Partial<Limits>
    readonly command?: Partial<Limits>
    readonly terminal?: Partial<Limits & { idleMs: number }>
  }
}

/** A user's files as a program sees them. */
export type SandboxMount = Awaited<ReturnType<typeof openSandboxMount>>

export interface MountDeps {
  readonly exec: Exec
  readonly systemDrive: Drive
  readonly use: PrivateUse
}

/** With more denied paths than this, nothing is run. */
const MAX_SCANNED = 100_000

/**
 * Opens a user's scope for a program: writable only with the rights to create, modify, rename and delete everywhere; denied paths, and those that may not
 * be downloaded, are empty and inaccessible. Without the right to download, the program gets an empty folder.
 * @param access as `accessOfProgram` returns it
 */
export async function openSandboxMount({ exec, systemDrive, use }: MountDeps, access: Access) {
  const place = await systemDrive.place(access.scope, 'follow')
  const folder = exec.folderOf(place)
  if (access.rules.verdict(parseFilePath('/')) === 'denied') fail('not-found', {})
  const { download } = rightsInScope(access, ROOT)
  const apart = place === ROOT ? (exec.otherRoots ?? []) : []
  const masked = [...apart, ...(await deniedIn(systemDrive, place, access))]
  const own = await findPrivateFolders({ use, scope: place, folder, all: !access.rules.neverDenies, apart })
  const scope: Scope = {
    folder,
    writable: mayWriteEverywhere(access) && !systemDrive.isReadOnly(place),
    masked: [...new Set([...masked, ...own.masked])],
  }
  const named = [...new Set([...masked, ...(access.rules.deniedPaths ?? [])])]
  const before = new Map(named.map((path) => [path, identityAt(folder + path)]))
  const root = exec.sandboxed ? SCOPE_PATH : folder
  return {
    /** The user's root, as the program sees it. */
    root,
    /** One of the user's paths, as the program sees it. */
    inside: (path: FilePath): string => (path === '/' ? root : root + inScope(access, path)),
    start: exec.sandboxed && !download ? {} : { scope },
    /** What rules deny, relative to the scope; the program finds it empty and inaccessible. */
    masked,
    /** The private folders of the server in the scope, masked as well. */
    own,
    /** Local folders in which something denied may be created, as far as rules name it. */
    watched: [...new Set(named.flatMap((path) => foldersAbove(folder, path)))],
    /** Whether everything denied, by name or as found, is still the masked node or absent. */
    isMasked: (): boolean => named.every((path) => [null, before.get(path)].includes(identityAt(folder + path))),
    /** Whether a walk through the whole tree finds nothing denied that is not masked. */
    isComplete: async (): Promise<boolean> => (await deniedIn(systemDrive, place, access)).every((path) => before.has(path)),
  }
}

/** What a program may be shown of what its user may see: all that may be downloaded. */
export function accessOfProgram(access: Access): Access {
  return requiringRight(access, 'download')
}

/** The kernel knows one answer for the whole scope: a folder that is mounted read-only could be moved to where rules say otherwise. */
function mayWriteEverywhere({ may, rules: { grants } }: Access): boolean {
  return (['create', 'modify', 'rename', 'delete'] as const).every((right) => (may[right] || grants.coversAll) && grants.everywhere[right])
}

function identityAt(path: string): string | null {
  const stat = lstatSync(Buffer.from(nameToBytes(path)), { throwIfNoEntry: false, bigint: true })
  return stat === undefined ? null : `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`
}

/** Existing folders above a path, from the scope down. */
function foldersAbove(folder: string, path: string): string[] {
  const names = path.split('/').slice(1, -1)
  const folders = [folder, ...names.map((_, at) => `${folder}/${names.slice(0, at + 1).join('/')}`)]
  return folders.filter((one) => lstatSync(Buffer.from(nameToBytes(one)), { throwIfNoEntry: false })?.isDirectory() === true)
}

/** Paths that a rule denies, relative to the scope. Links are skipped: their targets are masked under their own names. */
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
  return (await nullOn('not-found', systemDrive.place(place, 'follow'))) === place
}

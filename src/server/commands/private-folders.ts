import { lstatSync, mkdirSync } from 'node:fs'
import { posix } from 'node:path'
import { codeOf, fail } from '../../shared/errors.ts'
import { type FilePath, isWithin, nameToBytes, pathFrom, ROOT } from '../../shared/file-path.ts'

/** PORT: what the storage knows of its private folders; see `Storage`. */
export interface PrivateUse {
  privatePlaces(folder: FilePath): Promise<readonly PrivatePlace[]>
  onPrivateUse(before: (volume: FilePath) => Promise<void> | void): void
}

interface PrivatePlace {
  readonly path: FilePath
  readonly isVolume: boolean
  readonly isUsed: boolean
  readonly isLocal: boolean
}

/** The private folders that a program could find in its scope. */
export interface PrivateFolders {
  /** Relative to the scope; they exist. */
  readonly masked: readonly string[]
  /** Whether the private folder of a volume is masked, or the volume is outside the scope. */
  covers(volume: FilePath): boolean
  /** Whether a folder and the trash that it would go to are both in the scope. */
  holdsTrashOf(folder: FilePath): boolean
  /** Whether there still is no other private folder than those that are masked, on disks that cannot hang. */
  isComplete(): Promise<boolean>
}

export interface PrivateFoldersOptions {
  readonly use: PrivateUse
  /** The storage path of the scope, without links. */
  readonly scope: FilePath
  /** The local path of the scope. */
  readonly folder: string
  /** Folders of the scope that the program does not find, whatever is in them. */
  readonly apart?: readonly FilePath[]
  /** Whether missing ones are made on all mounts; otherwise only where the storage has used them. A mounted disk may hang. */
  readonly all: boolean
}

const PRIVATE = '.satchel'

/** Starting a program takes 90 ms with 100 masks, and a second with 300 (writable, two cores): each is several mounts. */
const MOST_MASKED = 200

/**
 * Finds the private folders of the server in a scope, to be masked, and makes missing ones: what is not there when a program starts cannot be masked, and
 * what others upload (A3) or delete meanwhile would lie in its sight.
 */
export async function findPrivateFolders({ use, scope, folder, all, apart = [] }: PrivateFoldersOptions): Promise<PrivateFolders> {
  const onDisk = (below: string): Buffer => Buffer.from(nameToBytes(`${folder === '/' ? '' : folder}${below}`))
  const isApart = (path: FilePath): boolean => apart.some((one) => isWithin(path, one))
  const placesNow = async () => (await use.privatePlaces(scope)).filter(({ path }) => !isApart(path))
  const places = (await placesNow()).map((place) => ({ ...place, below: privateIn(scope, place.path) }))
  const mounted = places.filter(({ isVolume, isUsed }) => isVolume && (isUsed || all))
  for (const { below } of mounted) makePrivate(onDisk(below))
  // A scope may have been the served folder of another server.
  const found = new Map([privateIn(scope, scope), ...places.map(({ below }) => below)].map((below) => [below, identityOf(onDisk(below))]))
  const there = [...found].filter(([, identity]) => identity !== null).map(([below]) => below)
  const inUse = new Set([privateIn(scope, scope), ...places.filter(({ isUsed }) => isUsed).map(({ below }) => below)])
  const masked = gather(there, inUse)
  const isMasked = (below: string): boolean => masked.some((mask) => below === mask || below.startsWith(`${mask}/`))
  const before = new Map(masked.map((below) => [below, identityOf(onDisk(below))]))
  const volumes = places.filter(({ isVolume }) => isVolume).map(({ path }) => path)
  return {
    masked,
    covers: (volume) => !isWithin(volume, scope) || isApart(volume) || isMasked(privateIn(scope, volume)),
    holdsTrashOf: (place) => volumes.some((volume) => isWithin(place, volume)),
    async isComplete() {
      const now = (await placesNow()).filter(({ isLocal }) => isLocal).map(({ path }) => privateIn(scope, path))
      const unmasked = now.filter((below) => !isMasked(below))
      const isSame = [...before].every(([below, identity]) => [null, identity].includes(identityOf(onDisk(below))))
      return isSame && unmasked.every((below) => identityOf(onDisk(below)) === null)
    },
  }
}

/**
 * If there are too many to be masked one by one, as with hundreds of snapshots, masks folders above those that are not in use instead, unless that
 * would hide the scope itself or something in use. Far too many masks end in a program that does not start.
 */
function gather(paths: readonly string[], inUse: ReadonlySet<string>): readonly string[] {
  const kept = paths.filter((path) => inUse.has(path))
  let masked = paths.filter((path) => !inUse.has(path))
  while (kept.length + masked.length > MOST_MASKED && masked.length > 0) {
    masked = [...new Set(masked.map((path) => posix.dirname(path)))]
    if (masked.some((path) => path === '/' || kept.some((used) => used.startsWith(`${path}/`)))) return paths
  }
  return [...kept, ...masked]
}

function privateIn(scope: FilePath, place: FilePath): string {
  const below = pathFrom(scope, place) ?? ROOT
  return `${below === ROOT ? '' : below}/${PRIVATE}`
}

/**
 * Null if there is none, or neither this server nor its programs can reach it. Fails with `forbidden` if a folder above is closed to its owner, this
 * server: a program could open it again.
 */
function identityOf(path: Buffer): string | null {
  try {
    const stat = lstatSync(path, { bigint: true })
    return `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`
  } catch (error) {
    if (codeOf(error) === 'EACCES' && isOurs(path)) fail('forbidden', { right: 'execute' })
    if (!['ENOENT', 'ENOTDIR', 'EACCES'].includes(codeOf(error))) throw error
    return null
  }
}

/** Whether the deepest folder above that can be inspected is owned by this process. */
function isOurs(path: Buffer): boolean {
  const above = path.subarray(0, Math.max(1, path.lastIndexOf('/')))
  try {
    return lstatSync(above).uid === process.geteuid?.()
  } catch {
    return above.length > 1 && isOurs(above)
  }
}

function makePrivate(path: Buffer): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch {
    // It exists, or this server cannot create it.
  }
}

import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { canHoldCode, keepOpen, lock, syncFileSystem } from './libc.ts'

/** An archive of the program: the contents of its files, one after another, compressed. */
export interface Pack {
  readonly file: string
  readonly hash: string
  /** Of each file in it, in bytes and in its order. */
  readonly sizes: Readonly<Record<string, number>>
}

/** In each unpacked folder: locked as long as a process runs from it, or unpacks it. */
const IN_USE = '.in-use'
/** Write permission of others. */
const OTHERS_WRITE = constants.S_IWGRP | constants.S_IWOTH
const STICKY = 0o1000
/** A folder of ours, whole or not: the hash, and something random while it is written. */
const OURS = /^[0-9a-f]{32}(\.|$)/
const LOCK_TRIES = 5
const LOCK_PAUSE_MS = 20
const MEGABYTE = 1024 ** 2

/**
 * The folder of the unpacked program, which stays in use until the end of this process, or of the program it becomes. It is unpacked now if it is
 * missing or damaged; other versions that are not in use are removed then. Throws if there is no place for it.
 */
export async function programFolder(pack: Pack): Promise<string> {
  const problems: string[] = []
  for (const place of places()) {
    try {
      return await folderIn(place, pack)
    } catch (error) {
      problems.push(`${place}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const size = Math.ceil(Object.values(pack.sizes).reduce((sum, one) => sum + one, 0) / MEGABYTE)
  throw new Error(`there is no folder to unpack the program (${size} MB) to; XDG_CACHE_HOME names one\n  ${problems.join('\n  ')}`)
}

/** From the best on. Never below the current folder. */
function places(): string[] {
  const { XDG_CACHE_HOME, CACHE_DIRECTORY, HOME } = process.env
  // Of a systemd unit; there may be several.
  const [unit = ''] = (CACHE_DIRECTORY ?? '').split(':')
  return [
    ...(unit === '' ? [] : [join(unit, 'program')]),
    ...(XDG_CACHE_HOME ? [join(XDG_CACHE_HOME, 'satchel')] : []),
    ...(HOME ? [join(HOME, '.cache/satchel')] : process.getuid?.() === 0 ? ['/var/cache/satchel'] : []),
    join(tmpdir(), `satchel-${process.getuid?.()}`),
  ].filter((place) => isAbsolute(place))
}

async function folderIn(place: string, pack: Pack): Promise<string> {
  mkdirSync(place, { recursive: true, mode: 0o700 })
  const parent = safe(place)
  const folder = join(parent, pack.hash)
  if (take(folder) && isWhole(safe(folder), pack)) return folder
  removeUnused(parent, pack.hash)
  await unpack(folder, pack)
  return folder
}

/** The folder without links. Throws if somebody besides this account and root can change what is at this path. */
function safe(path: string): string {
  const real = realpathSync(path)
  for (let at = real; ; at = dirname(at)) {
    const stat = statSync(at)
    if (!isTrusted(stat.uid)) throw new Error(`${at} belongs to another account (uid ${stat.uid})`)
    // In a sticky folder, others can add something of theirs, but not replace what is ours.
    if ((stat.mode & OTHERS_WRITE) !== 0 && (at === real || (stat.mode & STICKY) === 0)) throw new Error(`others can write to ${at}`)
    if (at === '/') return real
  }
}

function isTrusted(uid: number): boolean {
  return uid === process.getuid?.() || uid === 0 || (uid === overflowUid() && isInUserNamespace())
}

/** What all accounts look like that a user namespace does not have, among them the real root. */
function overflowUid(): number {
  return Number(readFileSync('/proc/sys/kernel/overflowuid', 'utf8'))
}

function isInUserNamespace(): boolean {
  return !/^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'utf8'))
}

/** Marks a folder as in use. @returns whether it is there, and nobody is removing it. Throws if no code can be loaded from it. */
function take(folder: string): boolean {
  const path = join(folder, IN_USE)
  const descriptor = opened(path)
  if (descriptor === null) return false
  try {
    if (!canHoldCode(descriptor)) throw new Error('no program can be loaded from it: its file system is mounted noexec')
    // What is being removed loses its name at once. If it keeps it, the file system has no locks.
    for (let tries = 0; !lock(descriptor, 'shared') && tries < LOCK_TRIES; tries++) Bun.sleepSync(LOCK_PAUSE_MS)
    if (fstatSync(descriptor).ino !== lstatSync(path, { throwIfNoEntry: false })?.ino) return false
    keepOpen(descriptor)
    return true
  } finally {
    closeSync(descriptor)
  }
}

function opened(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch {
    return null
  }
}

/** Whether all files have their size: something may clean up the temporary folder, for example. */
function isWhole(folder: string, { sizes }: Pack): boolean {
  return Object.entries(sizes).every(([name, size]) => {
    const stat = lstatSync(join(folder, name), { throwIfNoEntry: false })
    return stat?.isFile() === true && stat.size === size
  })
}

/** Removes other versions, and what a killed process left half unpacked. */
function removeUnused(parent: string, hash: string): void {
  for (const name of readdirSync(parent)) {
    if (!OURS.test(name) || name === hash) continue
    const folder = join(parent, name)
    const descriptor = opened(join(folder, IN_USE))
    try {
      if (descriptor !== null && !lock(descriptor, 'exclusive')) continue
      // Under another name first: nobody starts from a half removed folder.
      const removed = `${folder}.removed`
      renameSync(folder, removed)
      rmSync(removed, { recursive: true, force: true })
    } catch {
      // Another process removes it, or it is not ours to remove.
    } finally {
      if (descriptor !== null) closeSync(descriptor)
    }
  }
}

/** Under its name it is whole, and on the disk. */
async function unpack(folder: string, pack: Pack): Promise<void> {
  const fresh = newFolder(folder)
  try {
    await extractTo(fresh, pack)
    sync(fresh)
    publish(fresh, folder, pack)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** An empty folder beside another, in use under its name from the beginning. */
function newFolder(folder: string): string {
  const unnamed = mkdtempSync(join(dirname(folder), 'new-'))
  try {
    writeFileSync(join(unnamed, IN_USE), '', { mode: 0o600 })
    take(unnamed)
    const fresh = `${folder}.${unnamed.slice(-6)}`
    renameSync(unnamed, fresh)
    return fresh
  } catch (error) {
    rmSync(unnamed, { recursive: true, force: true })
    throw error
  }
}

async function extractTo(folder: string, { file, sizes }: Pack): Promise<void> {
  const archive = Bun.zstdDecompressSync(await Bun.file(file).bytes())
  const folders = new Set(Object.keys(sizes).map((name) => dirname(join(folder, name))))
  for (const one of folders) mkdirSync(one, { recursive: true, mode: 0o755 })
  let start = 0
  for (const [name, size] of Object.entries(sizes)) {
    writeFileSync(join(folder, name), archive.subarray(start, start + size), { mode: 0o644 })
    start += size
  }
}

/** In place of a damaged folder, if there is one: processes that run from it find the same files under the same names. */
function publish(fresh: string, folder: string, pack: Pack): void {
  try {
    renameSync(fresh, folder)
  } catch (error) {
    // Another process has unpacked it meanwhile.
    if (take(folder) && isWhole(folder, pack)) return
    const damaged = `${fresh}.damaged`
    try {
      renameSync(folder, damaged)
      renameSync(fresh, folder)
    } catch {
      throw error
    } finally {
      rmSync(damaged, { recursive: true, force: true })
    }
  }
}

/** Everything that was written is on the disk. */
function sync(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    syncFileSystem(descriptor)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

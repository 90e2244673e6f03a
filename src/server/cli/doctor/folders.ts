import { accessSync, constants, existsSync, statfsSync, statSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { isPostgres } from '../../config/database-location.ts'
import { codeOf } from '../../../shared/errors.ts'
import { shellWord } from '../../db/shell-word.ts'
import { hasLostMarker, MARKER } from '../../config/served-root.ts'
import type { ServerSettings } from '../command.ts'
import { advice, fine, type Finding, inBytes, problem } from './finding.ts'

/** Below this, uploads will fail soon. */
const LITTLE_BYTES = 1024 ** 3
const LITTLE_SHARE = 0.02
const { R_OK, W_OK, X_OK } = constants
const READ_ONLY = 'its disk is read-only: mount it writable'

/** Checks the served folder, the data folder, cached previews and the database: they exist, are writable, and others cannot read them. */
export function folderFindings(serverSettings: ServerSettings): Finding[] {
  const { root, dataDir, cacheDir, database } = serverSettings
  const cache = cacheDir === 'off' ? null : (cacheDir ?? join(dataDir, 'previews'))
  const kept = [
    { about: 'data folder', path: dataDir, key: '--data' },
    ...(cache === null ? [] : [{ about: 'previews', path: cache, key: '--cacheDir' }]),
  ]
  return [
    ...servedFolder(root),
    ...unmounted(serverSettings),
    ...kept.flatMap((folder) => keptFolder(folder)),
    ...(isPostgres(database) ? [] : [database, `${database}-wal`, `${database}-shm`]).flatMap((file) => secretFile('database', file)),
  ]
}

/** Free space on all their disks, each disk once. */
export function diskFindings({ root, dataDir }: ServerSettings): Finding[] {
  const seen = new Set<number>()
  return [root, dataDir].map(nearestThere).flatMap((path) => {
    const { dev } = statSync(path)
    if (seen.has(dev)) return []
    seen.add(dev)
    return roomAt(path)
  })
}

function servedFolder(root: string): Finding[] {
  const about = 'served folder'
  if (statOf(root)?.isDirectory() !== true) return [problem(about, `${root} is no folder`, 'name another with --root, or make it')]
  if (!may(root, R_OK | X_OK))
    return [problem(about, `${root} cannot be read by ${me()}`, `chown or chmod it for the account of the server`)]
  if (!may(root, W_OK)) {
    const todo = isReadOnly(root) ? 'its disk is read-only: mount it writable' : 'chown or chmod it'
    return [advice(about, `${root} cannot be written by ${me()}: people look and take only`, `${todo} if they shall upload too`)]
  }
  return [fine(about, `${root} can be read and written`)]
}

function unmounted(serverSettings: ServerSettings): Finding[] {
  if (!hasLostMarker(serverSettings)) return []
  const text = `${serverSettings.root} was served before, and its mark (${MARKER}) is gone: perhaps its disk is not mounted`
  return [problem('served folder', text, 'mount it; if it is really a new folder, start once with --new-root')]
}

function keptFolder({ about, path, key }: { about: string; path: string; key: string }): Finding[] {
  const stat = statOf(path)
  if (stat === null) {
    const parent = nearestThere(path)
    return may(parent, W_OK | X_OK)
      ? [fine(about, `${path} will be made`)]
      : [
          problem(
            about,
            `${path} cannot be made: ${parent} is not writable by ${me()}`,
            `${isReadOnly(parent) ? READ_ONLY : 'make it'}, or name another with ${key}`,
          ),
        ]
  }
  if (!stat.isDirectory()) return [problem(about, `${path} is no folder`, `move it away, or name another with ${key}`)]
  if (!may(path, R_OK | W_OK | X_OK)) return [problem(about, `${path} cannot be written by ${me()}`, ownerAdvice(path))]
  if ((stat.mode & 0o022) !== 0)
    return [problem(about, `${path} can be written by other accounts (mode ${modeOf(stat)})`, `chmod go-w ${shellWord(path)}`)]
  return [fine(about, `${path} can be written`)]
}

/** It contains password hashes and secrets. */
function secretFile(about: string, file: string): Finding[] {
  const stat = statOf(file)
  if (stat === null) return []
  if (!may(file, R_OK | W_OK)) return [problem(about, `${file} cannot be written by ${me()}`, ownerAdvice(file))]
  if ((stat.mode & 0o077) !== 0)
    return [problem(about, `${file} is open to other accounts (mode ${modeOf(stat)})`, `chmod 600 ${shellWord(file)}`)]
  return []
}

function roomAt(path: string): Finding[] {
  const { bavail, blocks, bsize, ffree, files } = statfsSync(path)
  const free = bavail * bsize
  const text = `${inBytes(free)} of ${inBytes(blocks * bsize)} free at ${path}`
  const about = 'disk'
  // Some file systems do not report inodes.
  if (files > 0 && ffree / files < LITTLE_SHARE)
    return [problem(about, `hardly any files can be made at ${path}`, 'delete many small files')]
  if (free < LITTLE_BYTES) return [problem(about, text, 'make room: uploads and the database need it')]
  if (free / (blocks * bsize) < LITTLE_SHARE) return [advice(about, text, 'make room in time')]
  return [fine(about, text)]
}

function nearestThere(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestThere(dirname(path))
}

function statOf(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

function ownerAdvice(path: string): string {
  return isReadOnly(path) ? READ_ONLY : 'chown it to the account of the server'
}

function isReadOnly(path: string): boolean {
  try {
    accessSync(path, W_OK)
    return false
  } catch (error) {
    return codeOf(error) === 'EROFS'
  }
}

function me(): string {
  return `this account (uid ${process.getuid?.() ?? '?'})`
}

function modeOf({ mode }: Stats): string {
  return (mode & 0o7777).toString(8).padStart(4, '0')
}

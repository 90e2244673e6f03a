import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, readlinkSync } from 'node:fs'
import { bytesToName, type FilePath, isWithin, joinPath, parseFilePath, pathFrom, ROOT, segmentsOf } from '../../shared/file-path.ts'
import { systemCode } from './foreign-errors.ts'
import { PRIVATE_NAME } from './private-name.ts'
import { openFolder } from './open-folder.ts'
import { entry, type Folder, OPEN_FOLDER, self } from './walk.ts'

const STAGING = [PRIVATE_NAME, 'staging']

/** The file systems of a served tree, each named by the folder it is mounted on. A rename or link does not reach from one into another. */
export interface Volumes {
  /** The one that holds `folder`, or would when its missing part was made. */
  holding(folder: FilePath): FilePath
  /** All that are known: the root's, those mounted below it, and those `holding` found (btrfs subvolumes are no mounts). */
  all(): FilePath[]
  /** The staging folder of a volume, made for our eyes only if need be. The caller closes it. */
  openStaging(volume: FilePath): Folder
  /** The same where it is there already, else null. */
  findStaging(volume: FilePath): Folder | null
}

export function volumesOf(root: { fd: number }): Volumes {
  const met = new Set<FilePath>([ROOT])

  function findStaging(volume: FilePath): Folder | null {
    try {
      return openFolder(root, [...segmentsOf(volume), ...STAGING])
    } catch (error) {
      if (isNoFolder(error)) return null
      throw error
    }
  }

  return {
    holding(path) {
      const volume = deepestVolume(root, path)
      met.add(volume)
      return volume
    },
    all: () => [...new Set([...met, ...mountsBelow(readlinkSync(self(root.fd), { encoding: 'buffer' }))])],
    openStaging(volume) {
      const there = findStaging(volume)
      if (there !== null) return there
      let at = openFolder(root, segmentsOf(volume))
      for (const name of STAGING) {
        using last = at
        makePrivate(last, name)
        at = openFolder(last, [name])
      }
      return at
    },
    findStaging,
  }
}

function deepestVolume(root: { fd: number }, path: FilePath): FilePath {
  let volume: FilePath = ROOT
  let at: FilePath = ROOT
  let fd = openSync(`${self(root.fd)}/.`, OPEN_FOLDER)
  try {
    let mark = volumeMark(fd)
    for (const segment of segmentsOf(path)) {
      const next = openSync(entry({ fd }, segment), OPEN_FOLDER)
      closeSync(fd)
      fd = next
      at = joinPath(at, segment)
      if (mark === volumeMark(fd)) continue
      mark = volumeMark(fd)
      volume = at
    }
  } catch (error) {
    // What is missing, or cannot be entered, is no mount point.
    if (!isNoFolder(error)) throw error
  } finally {
    closeSync(fd)
  }
  return volume
}

/** Device and mount: a bind mount has the device of its source, a btrfs subvolume the mount of its parent. */
function volumeMark(fd: number): string {
  const mount = /mnt_id:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))
  return `${fstatSync(fd).dev}:${mount?.[1] ?? ''}`
}

function mountsBelow(realRoot: Buffer): FilePath[] {
  const base = parseFilePath(bytesToName(realRoot))
  const found: FilePath[] = []
  for (const line of bytesToName(readFileSync('/proc/self/mountinfo')).split('\n')) {
    const mountPoint = line.split(' ')[4]
    if (!mountPoint?.startsWith('/')) continue
    const path = parseFilePath(unescapeMount(mountPoint))
    if (isWithin(path, base)) found.push(pathFrom(base, path) ?? ROOT)
  }
  return found
}

/** Blanks and backslashes stand in mountinfo as `\040`, in octal. */
function unescapeMount(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}

function makePrivate(folder: Folder, name: string): void {
  try {
    mkdirSync(entry(folder, name), 0o700)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}

function isNoFolder(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENAMETOOLONG'].includes(systemCode(error))
}

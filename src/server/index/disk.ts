import { closeSync, readFileSync, readSync, statfsSync } from 'node:fs'
import { type Libc, libc } from '../storage/libc.ts'
import { readNamesAndTypes } from '../storage/folder-names.ts'
import { REMOTE_FILE_SYSTEMS, eventsIn, type WatchEvent } from '../storage/watching.ts'
import { openFolder, openRoot } from '../storage/open-folder.ts'
import type { LeftOut } from '../storage/snapshot-pattern.ts'
import { entryPath, type Folder, descriptorPath } from '../storage/proc-paths.ts'
import { FILE, FOLDER, LINK, type Seen, SPECIAL } from './tree.ts'
import { codeOf, orElse } from '../../shared/errors.ts'

/** inotify(7): created, removed, renamed, written, attributes changed; not for unlinked nodes; folders only, no links. */
const WANTED = 0x100 | 0x200 | 0x40 | 0x80 | 0x02 | 0x04 | 0x04000000 | 0x02000000 | 0x01000000
const EVENTS_BYTES = 256 * 1024
const TYPE_MASK = 0o170000

/** Why a folder could not be opened: absent, not readable, or a disk error. */
export type OpenFailure = 'gone' | 'denied' | 'failed'

/** The served tree as the kernel reports it: names, sizes and times, no content. Used only in the index thread. */
export type Disk = ReturnType<typeof diskFrom>

/** How many folders one user may watch. */
export function watchLimit(): number {
  return orElse(0, () => Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8')))
}

/** @returns null if the system calls are not available */
export function openDisk(rootPath: string, leftOut: LeftOut | null = null): Disk | null {
  const system = libc()
  return system && diskFrom(openRoot(rootPath), system, leftOut)
}

function diskFrom(root: { fd: number }, system: Libc, leftOut: LeftOut | null) {
  const queue = system.openWatches()
  const buffer = new Uint8Array(EVENTS_BYTES)
  const remote = new Map<number, boolean>()
  /** Open folders whose entries may be left out. */
  const sifted = new WeakSet<Folder>()

  function isLeftOut(folder: Folder, name: string): boolean {
    if (leftOut === null || !sifted.has(folder)) return false
    return name.length > leftOut.prefix.length + leftOut.suffix.length && name.startsWith(leftOut.prefix) && name.endsWith(leftOut.suffix)
  }

  /** One read of the queue; null if it is empty. */
  function read(): Uint8Array | null {
    try {
      return buffer.subarray(0, readSync(queue, buffer, 0, EVENTS_BYTES, null))
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') return null
      throw error
    }
  }

  return {
    /** Follows no links. The caller closes it. */
    open: (segments: readonly string[]) =>
      orClosed(() => {
        const folder = openFolder(root, segments)
        if (leftOut !== null && isSame(segments, leftOut.folder)) sifted.add(folder)
        return folder
      }),
    names: ({ fd }: Folder) => orClosed(() => readNamesAndTypes(fd).names),
    /** Null if there is no such entry, or it is left out. */
    see(folder: Folder, name: string): Seen | null {
      const look = isLeftOut(folder, name) ? null : system.closeLook(folder.fd, name)
      if (look === null) return null
      const kind = kindFrom(look.mode)
      return { ...look, name, kind, isShared: look.links > 1 && kind !== FOLDER }
    },
    /** Of an entry; with an empty name, of the folder itself. */
    stamp: ({ fd }: Folder, name: string) => system.closeLook(fd, name),
    /** Whether changes in a folder (as in `watch`) may come from another machine, invisible to this one. */
    isRemote(folder: Folder, name: string, device: number): boolean {
      const known = remote.get(device) ?? looksRemote(entryPath(folder, name === '' ? '.' : name))
      remote.set(device, known)
      return known
    },
    /** Watches an open folder, or a folder in it by name. @returns the number of the watch, the same for the same folder; -1 if there is none */
    watch: ({ fd }: Folder, name: string) =>
      queue < 0 ? -1 : system.addWatch(queue, `${descriptorPath(fd)}/${name === '' ? '.' : name}`, WANTED),
    unwatch: (watch: number) => system.removeWatch(queue, watch),
    /** Events since the last call, without waiting. */
    events(): WatchEvent[] {
      const all: WatchEvent[] = []
      if (queue < 0) return all
      for (let chunk = read(); chunk !== null; chunk = read()) all.push(...eventsIn(chunk))
      return all
    },
    close() {
      closeSync(root.fd)
      if (queue >= 0) closeSync(queue)
    },
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((segment, i) => segment === other[i])
}

function orClosed<T>(look: () => T): T | OpenFailure {
  try {
    return look()
  } catch (error) {
    const code = codeOf(error)
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(code)) return 'gone'
    return code === 'EACCES' || code === 'EPERM' ? 'denied' : 'failed'
  }
}

function looksRemote(place: string | Buffer): boolean {
  return orElse(true, () => REMOTE_FILE_SYSTEMS.has(statfsSync(place).type))
}

function kindFrom(mode: number): number {
  switch (mode & TYPE_MASK) {
    case 0o100000:
      return FILE
    case 0o040000:
      return FOLDER
    case 0o120000:
      return LINK
    default:
      return SPECIAL
  }
}

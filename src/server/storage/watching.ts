import { closeSync } from 'node:fs'
import { bytesToName } from '../../shared/file-path.ts'
import { type Libc, libc } from './libc.ts'
import { isPrivateName } from './private-name.ts'
import type { Watch } from './storage.ts'
import { type Folder, descriptorPath } from './proc-paths.ts'

/** Network file systems and the like (statfs(2), `f_type`): inotify does not report changes made on another machine. */
export const REMOTE_FILE_SYSTEMS = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xfe534d42, // SMB2
  0xff534d42, // CIFS
  0x01021997, // 9p
  0x65735546, // FUSE
  0x00c36400, // Ceph
  0x5346414f, // AFS
])

/** inotify(7) mask: entries created, removed, renamed, written or with changed attributes; the folder itself moved or removed; folders only. */
const WANTED = 0x100 | 0x200 | 0x40 | 0x80 | 0x02 | 0x04 | 0x400 | 0x800 | 0x01000000
export const IGNORED = 0x8000
export const OVERFLOW = 0x4000
export const UNMOUNTED = 0x2000
const HEAD_BYTES = 16

/** An event in a watched folder. */
export interface WatchEvent {
  readonly watch: number
  readonly mask: number
  /** The name of the entry; '' for the folder itself. */
  readonly name: string
}

/** The events in one chunk of a queue. */
export function* eventsIn(chunk: Uint8Array): Generator<WatchEvent> {
  const events = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  for (let at = 0; at + HEAD_BYTES <= chunk.byteLength;) {
    const room = events.getUint32(at + 12, true)
    const bytes = chunk.subarray(at + HEAD_BYTES, at + HEAD_BYTES + room)
    const end = bytes.indexOf(0)
    const name = bytesToName(end < 0 ? bytes : bytes.subarray(0, end))
    yield { watch: events.getInt32(at, true), mask: events.getUint32(at + 4, true), name }
    at += HEAD_BYTES + room
  }
}

/** One inotify queue for all watches. The runtime's own `fs.watch` confuses two watches of one folder. */
export function createWatching() {
  let queue: Queue | null | undefined

  return {
    /** The folder may be closed afterwards. @returns null if the system allows no more watches */
    watch(folder: Folder, onChange: (name: string) => void): Watch | null {
      queue ??= openQueue(libc())
      return queue?.add(descriptorPath(folder.fd), onChange) ?? null
    },
  }
}

interface Queue {
  add(address: string, onChange: (name: string) => void): Watch | null
}

function openQueue(system: Libc | null): Queue | null {
  const queue = system?.openWatches() ?? -1
  if (system === null || queue < 0) return null
  /** The kernel gives all watches of one folder the same number. */
  const listeners = new Map<number, Set<(name: string) => void>>()

  function tell({ watch, mask, name }: WatchEvent): void {
    // After an overflow, events of any folder may be lost.
    const concerned = (mask & OVERFLOW) === 0 ? [...(listeners.get(watch) ?? [])] : [...listeners.values()].flatMap((all) => [...all])
    if ((mask & IGNORED) !== 0) listeners.delete(watch)
    if (!isPrivateName(name)) for (const listener of concerned) listener(name)
  }

  async function read(): Promise<void> {
    for await (const chunk of Bun.file(queue).stream()) for (const event of eventsIn(chunk)) tell(event)
  }
  // Runs as long as the process.
  void read().catch(() => closeSync(queue))

  return {
    add(address, onChange) {
      const watch = system.addWatch(queue, address, WANTED)
      // The system allows no more watches.
      if (watch < 0) return null
      const mine = listeners.get(watch) ?? new Set()
      // A new function, so that two calls with the same `onChange` are two listeners.
      const listener = (name: string): void => onChange(name)
      listeners.set(watch, mine.add(listener))
      return {
        close() {
          if (!mine.delete(listener) || mine.size > 0 || listeners.get(watch) !== mine) return
          listeners.delete(watch)
          system.removeWatch(queue, watch)
        },
      }
    },
  }
}

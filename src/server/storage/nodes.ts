import { type BigIntStats, fstatSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { orElse } from '../../shared/errors.ts'
import { identityOf, libc, milliseconds, type NodeLook } from './libc.ts'
import { kindOf, type Stat } from './storage.ts'
import { entryPath } from './proc-paths.ts'

const NS_PER_SECOND = 1_000_000_000n

/** Inspects an entry without following links; null if there is none. */
export function statAt(folder: { fd: number }, name: string): Stat | null {
  const look = libc()?.look(folder.fd, name)
  if (look === null) return null
  if (look !== undefined) return statFromLook(look)
  // This call fails with the reason.
  const stats = lstatSync(entryPath(folder, name), { bigint: true, throwIfNoEntry: false })
  return stats ? statFrom(stats) : null
}

export function statOpen(fd: number): Stat {
  const look = libc()?.look(fd, '')
  return look ? statFromLook(look) : statFrom(fstatSync(fd, { bigint: true }))
}

/** The node of an open descriptor, found without accessing the disk: mount id and inode (before Linux 5.14 only the mount id). */
export function nodeOf(fd: number | string): string | null {
  // Null if it was closed meanwhile.
  return orElse(null, () => [...readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').matchAll(/^(?:mnt_id|ino):.*$/gm)].join())
}

/** Whether this process has a node open, under any descriptor: the runtime reopens a slice, and nothing else shows when it has been sent. */
export function isOpenHere(node: string): boolean {
  return readdirSync('/proc/self/fd').some((number) => nodeOf(number) === node)
}

/** Converts a result of statx(2). */
export function statFromLook(look: NodeLook): Stat {
  const { mode, size, modified } = look
  return { kind: kindOf(mode), size, modified, mode, identity: identityOf(look) }
}

function statFrom(stats: BigIntStats): Stat {
  const mode = Number(stats.mode)
  return {
    kind: kindOf(mode),
    size: Number(stats.size),
    modified: milliseconds(Number(stats.mtimeNs / NS_PER_SECOND), Number(stats.mtimeNs % NS_PER_SECOND)),
    mode,
    identity: `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`,
  }
}

import { otherSpellings } from '../../shared/other-spellings.ts'
import { orElse } from '../../shared/errors.ts'
import { fstatSync, statfsSync } from 'node:fs'
import { createLru } from '../../shared/lru.ts'
import { readNames } from './folder-names.ts'
import { descriptorPath } from './proc-paths.ts'

/** Name lookups in an open folder. */
export interface Directory {
  /** Identity of the node found under a name, links not followed; null if there is none. May throw for an invalid name. */
  identityOf(name: string): string | null
  names(): ReadonlySet<string>
  /**
   * Whether the file system either compares names exactly or also ignores ASCII case: then the lookup of one other spelling decides which, and the
   * folder need not be read. On any other file system only the list of names decides.
   */
  readonly isPlain: boolean
}

/**
 * The name under which a folder lists the node that it finds under `name`. Some file systems also find a name in other case, in another Unicode form,
 * with dots and spaces at its end, or shortened, whereas a rule names one spelling (GHSA-fgm5-pw99-w2p7). Returns `name` if nothing is found, and null
 * if a node is found but its listed name is not. The file system decides which names are the same: letters are folded here only to find the likeliest
 * listed name, which is then the one that rules are applied to and that is opened.
 */
export function listedName(folder: Directory, name: string): string | null {
  const identity = identityOf(folder, name)
  if (identity === null || (folder.isPlain && !isFolded(folder, name, identity))) return name
  const names = folder.names()
  if (names.has(name)) return name
  const folded = fold(name)
  const listed = [...names]
  return listed.find((one) => fold(one) === folded) ?? listed.find((one) => identityOf(folder, one) === identity) ?? null
}

/** Whether the same node is also found under another spelling. */
function isFolded(folder: Directory, name: string, identity: string): boolean {
  return otherSpellings(name).some((other) => identityOf(folder, other) === identity)
}

function fold(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/(?<![. ])[. ]+$/, '')
}

/** Null also for a name that the file system refuses. */
function identityOf(folder: Directory, name: string): string | null {
  return orElse(null, () => folder.identityOf(name))
}

/** File systems store times in steps of up to two seconds: a folder changed more recently may change again within the same time. */
const SETTLED_MS = 5000
const MOST_FOLDERS = 16

const lately = createLru<string, { stamp: string; names: ReadonlySet<string> }>(MOST_FOLDERS)

/**
 * The names of an open folder, for file systems where only the list shows the listed name of a node. Cached for a few folders, until they change.
 */
export function listedNames(fd: number): ReadonlySet<string> {
  const { dev, ino, mtimeMs, ctimeMs } = fstatSync(fd)
  const key = `${dev}:${ino}`
  const stamp = `${mtimeMs}:${ctimeMs}`
  const remembered = lately.get(key)
  if (remembered?.stamp === stamp) return remembered.names
  const names = new Set(readNames(fd))
  lately.delete(key)
  if (Math.abs(Date.now() - Math.max(mtimeMs, ctimeMs)) > SETTLED_MS) lately.set(key, { stamp, names })
  return names
}

/**
 * File systems (statfs(2), `f_type`) that compare names exactly, except in folders or volumes with case folding, which includes ASCII letters:
 * ext2 to ext4, XFS, Btrfs, tmpfs, ramfs, F2FS, overlays of these, bcachefs, SquashFS, EROFS. Not FAT, exFAT, NTFS, HFS+, ZFS, FUSE and network
 * file systems, whose comparison is unknown.
 */
const PLAIN = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0xf2f52010, 0x794c7630, 0xca451a4e, 0x73717368, 0xe0f5e1e2])
const MOST_REMEMBERED = 1000
/** A device number may belong to another disk after a remount. */
const KEPT_MS = 1000
const known = new Map<number, { isPlain: boolean; until: number }>()

export function isPlainDisk(fd: number): boolean {
  const device = fstatSync(fd).dev
  const now = performance.now()
  const remembered = known.get(device)
  if (remembered !== undefined && now < remembered.until) return remembered.isPlain
  // The runtime may return a 32-bit number as negative.
  const isPlain = PLAIN.has(statfsSync(descriptorPath(fd)).type >>> 0)
  if (known.size >= MOST_REMEMBERED) known.clear()
  known.set(device, { isPlain, until: now + KEPT_MS })
  return isPlain
}

import { otherSpellings } from '../../shared/other-spellings.ts'
import { orElse } from '../../shared/errors.ts'
import { fstatSync, statfsSync } from 'node:fs'
import { createLru } from '../../shared/lru.ts'
import { readNames } from './folder-names.ts'
import { self } from './walk.ts'

/** How an open folder answers for names. */
export interface Directory {
  /** Of what is found under a name, links not followed; null when nothing is. May throw for a name that cannot be one. */
  identityOf(name: string): string | null
  names(): ReadonlySet<string>
  /**
   * Whether the disk is one that either takes every name as it is written or finds also names in other ASCII case: then one look at another
   * spelling tells which, and the folder need not be read. Of any other disk only the list tells.
   */
  readonly isPlain: boolean
}

/**
 * The name by which a folder lists what it finds under `name`: some disks take a name in other case, in another Unicode form, with dots and
 * blanks at its end or cut short for the same, and a rule is about one of them (GHSA-fgm5-pw99-w2p7). `name` itself where nothing is found;
 * null for what is found and yet listed under no name that can be told. Which names are one is the disk's to say: letters are folded here only
 * to find the likeliest listed name, which then is the one that is judged and opened.
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

/** Whether the very node is found by another spelling too. */
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

/** What the disk refuses to look for is not there. */
function identityOf(folder: Directory, name: string): string | null {
  return orElse(null, () => folder.identityOf(name))
}

/** Disks keep times in steps of up to two seconds: a folder that changed so lately may change again without another time. */
const SETTLED_MS = 5000
const MOST_FOLDERS = 16

const lately = createLru<string, { stamp: string; names: ReadonlySet<string> }>(MOST_FOLDERS)

/**
 * The names of an open folder, for disks where nothing else tells by which name something is listed: remembered for a few folders, as long as
 * they have not changed.
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
 * Disks (statfs(2), `f_type`) that take names as they are written, but where a folder or the whole disk was made to fold case, which includes the
 * letters of ASCII: ext2 to ext4, XFS, Btrfs, tmpfs, ramfs, F2FS, overlays of these, bcachefs, SquashFS, EROFS. Not FAT, exFAT, NTFS, HFS+, ZFS,
 * and nothing behind FUSE or a network: who knows what they take for the same.
 */
const PLAIN = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0xf2f52010, 0x794c7630, 0xca451a4e, 0x73717368, 0xe0f5e1e2])
const MOST_REMEMBERED = 1000
/** The number of a device may be another disk's after it is mounted anew. */
const KEPT_MS = 1000
const known = new Map<number, { isPlain: boolean; until: number }>()

export function isPlainDisk(fd: number): boolean {
  const device = fstatSync(fd).dev
  const now = performance.now()
  const remembered = known.get(device)
  if (remembered !== undefined && now < remembered.until) return remembered.isPlain
  // The runtime may make a negative number of one of 32 bits.
  const isPlain = PLAIN.has(statfsSync(self(fd)).type >>> 0)
  if (known.size >= MOST_REMEMBERED) known.clear()
  known.set(device, { isPlain, until: now + KEPT_MS })
  return isPlain
}

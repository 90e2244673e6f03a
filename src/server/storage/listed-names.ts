import { fstatSync } from 'node:fs'
import { createLru } from '../../shared/lru.ts'
import { readNames } from './folder-names.ts'

/** Disks keep times in steps of up to two seconds: a folder that changed so lately may change again without another time. */
const SETTLED_MS = 5000
const MOST_FOLDERS = 16

interface Read {
  readonly stamp: string
  readonly names: ReadonlySet<string>
}

const lately = createLru<string, Read>(MOST_FOLDERS)

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

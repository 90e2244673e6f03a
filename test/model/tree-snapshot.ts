import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A tree on the disk: each path below the root with what it is. */
export type TreeSnapshot = ReadonlyMap<string, string>

/**
 * Reads the disk itself, not the server: of a file its bytes, mode and modification time, of a folder its mode. A folder’s time changes with each of its
 * entries, so it is left out, and so is the private folder of the server.
 */
export function snapshotOf(root: string): TreeSnapshot {
  const found = new Map<string, string>()
  const visit = (folder: string): void => {
    for (const name of readdirSync(join(root, folder)).toSorted()) {
      if (folder === '' && name === '.satchel') continue
      const path = `${folder}/${name}`
      const stat = lstatSync(join(root, path))
      if (stat.isDirectory()) {
        found.set(path, describeFolder(stat))
        visit(path)
      } else found.set(path, describeFile({ mode: stat.mode, modified: stat.mtimeMs }, readFileSync(join(root, path))))
    }
  }
  visit('')
  return found
}

export function describeFolder({ mode }: { mode: number }): string {
  return `folder ${(mode & 0o7777).toString(8)}`
}

/** @param stat.modified milliseconds since 1970 */
export function describeFile({ mode, modified }: { mode: number; modified: number }, bytes: Uint8Array): string {
  return `file ${(mode & 0o7777).toString(8)} ${Math.floor(modified)} ${bytes.length} ${hashOf(bytes)}`
}

/** @returns in words how a tree differs from the expected one; empty if it does not */
export function differences(found: TreeSnapshot, expected: TreeSnapshot): string[] {
  const paths = [...new Set([...found.keys(), ...expected.keys()])].toSorted()
  return paths
    .filter((path) => found.get(path) !== expected.get(path))
    .map((path) => `${path} is ${found.get(path) ?? 'missing'}, expected ${expected.get(path) ?? 'nothing'}`)
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex').slice(0, 12)
}

import { createHash } from 'node:crypto'
import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Everything below a folder of the disk, by its path: kind, mode, owner, inode, time and content. Equal before and after means that nobody touched it. */
export function manifestOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {}
  const enter = (place: string): void => {
    // Names as bytes: not all are text.
    for (const name of readdirSync(Buffer.from(place, 'latin1'), { encoding: 'buffer' })) {
      const path = `${place}/${name.toString('latin1')}`
      const bytes = Buffer.from(path, 'latin1')
      const stat = lstatSync(bytes, { bigint: true })
      found[path.slice(folder.length)] = [stat.mode, stat.uid, stat.ino, stat.nlink, stat.mtimeNs, contentOf(bytes, stat)].join(' ')
      if (stat.isDirectory()) enter(path)
    }
  }
  enter(folder)
  return found
}

function contentOf(path: Buffer, stat: BigIntStats): string {
  if (stat.isSymbolicLink()) return readlinkSync(path)
  return stat.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''
}

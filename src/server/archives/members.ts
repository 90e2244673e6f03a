import { grown } from '../../shared/column.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, joinPath, nameOf, parentOf } from '../../shared/file-path.ts'
import type { Member } from './walk.ts'

/** Many members in little memory: names as bytes, numbers in columns, and the path of consecutive members of one folder stored once. */
export type Members = ReturnType<typeof createMembers>

const FOLDER_BIT = 0x8000
/** In UTF-8, for each UTF-16 unit. */
const MOST_UNIT_BYTES = 3

const encoder = new TextEncoder()

interface Way {
  /** The folder for the viewer; null for bytes that are not in a folder. */
  readonly folder: FilePath | null
  /** The path in the archive, up to the name. */
  readonly prefix: string
}

export function createMembers() {
  const ways: Way[] = []
  /** In the archive, without the prefix, one after the other. */
  let names = new Uint8Array(0)
  let starts = new Uint32Array(1)
  let count = 0
  /** On the disk, if the name differs. */
  const ownNames = new Map<number, string>()
  const contents = new Map<number, Uint8Array>()
  let wayOf = new Uint32Array(0)
  let modes = new Uint16Array(0)
  let sizes = new Float64Array(0)
  let modified = new Float64Array(0)

  function makeRoom(name: string): void {
    wayOf = grown(wayOf, count + 1)
    modes = grown(modes, count + 1)
    sizes = grown(sizes, count + 1)
    modified = grown(modified, count + 1)
    starts = grown(starts, count + 2)
    names = grown(names, (starts[count] ?? 0) + name.length * MOST_UNIT_BYTES)
  }

  function nameAt(index: number): string {
    const [start = 0, end = 0] = [starts[index], starts[index + 1]]
    return Buffer.from(names.buffer, start, end - start).toString()
  }

  function wayTo(folder: FilePath | null, prefix: string): number {
    const last = ways.at(-1)
    if (last?.folder !== folder || last.prefix !== prefix) ways.push({ folder, prefix })
    return ways.length - 1
  }

  return {
    get count() {
      return count
    },
    add({ name, kind, size, modified: time, mode, source }: Member) {
      const index = count
      const cut = name.lastIndexOf('/', name.length - 2) + 1
      const last = name.slice(cut)
      makeRoom(last)
      const own = source instanceof Uint8Array ? null : source
      const start = starts[index] ?? 0
      starts[index + 1] = start + encoder.encodeInto(last, names.subarray(start)).written
      wayOf[index] = wayTo(own && parentOf(own), name.slice(0, cut))
      if (own === null) contents.set(index, source as Uint8Array)
      else if (nameOf(own) !== bare(last)) ownNames.set(index, nameOf(own))
      modes[index] = mode | (kind === 'folder' ? FOLDER_BIT : 0)
      sizes[index] = size
      modified[index] = time
      count += 1
    },
    at(index: number): Member {
      if (index >= count) fail('unexpected', { incident: 'layout' })
      const name = nameAt(index)
      const { folder, prefix } = ways[wayOf[index] ?? 0] ?? { folder: null, prefix: '' }
      const mode = modes[index] ?? 0
      const source =
        folder === null
          ? (contents.get(index) ?? fail('unexpected', { incident: 'layout' }))
          : joinPath(folder, ownNames.get(index) ?? bare(name))
      return {
        name: prefix + name,
        kind: (mode & FOLDER_BIT) === 0 ? 'file' : 'folder',
        size: sizes[index] ?? 0,
        modified: modified[index] ?? 0,
        mode: mode & ~FOLDER_BIT,
        source,
      }
    },
  }
}

/** A folder's name in an archive ends with a slash; on a disk it does not. */
function bare(name: string): string {
  return name.endsWith('/') ? name.slice(0, -1) : name
}

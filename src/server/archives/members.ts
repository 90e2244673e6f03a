import { fail } from '../../shared/errors.ts'
import { type FilePath, joinPath, nameOf, parentOf } from '../../shared/file-path.ts'
import type { Member } from './walk.ts'

/** Many members in little memory: numbers in columns, and members of one folder in a row, with its path stored once. */
export interface Members {
  readonly count: number
  add(member: Member): void
  at(index: number): Member
}

const FOLDER_BIT = 0x8000
const FIRST_ROOM = 1024

interface Way {
  /** The folder for the viewer; null for bytes that are not in a folder. */
  readonly folder: FilePath | null
  /** The path in the archive, up to the name. */
  readonly prefix: string
}

export function createMembers(): Members {
  const ways: Way[] = []
  /** In the archive, without the prefix. */
  const names: string[] = []
  /** On the disk, if the name differs. */
  const ownNames = new Map<number, string>()
  const contents = new Map<number, Uint8Array>()
  let wayOf = new Uint32Array(FIRST_ROOM)
  let modes = new Uint16Array(FIRST_ROOM)
  let sizes = new Float64Array(FIRST_ROOM)
  let modified = new Float64Array(FIRST_ROOM)

  function grow(): void {
    const room = names.length * 2
    wayOf = enlarged(new Uint32Array(room), wayOf)
    modes = enlarged(new Uint16Array(room), modes)
    sizes = enlarged(new Float64Array(room), sizes)
    modified = enlarged(new Float64Array(room), modified)
  }

  function wayTo(folder: FilePath | null, prefix: string): number {
    const last = ways.at(-1)
    if (last?.folder !== folder || last.prefix !== prefix) ways.push({ folder, prefix })
    return ways.length - 1
  }

  return {
    get count() {
      return names.length
    },
    add({ name, kind, size, modified: time, mode, source }) {
      const index = names.length
      if (index === sizes.length) grow()
      const cut = name.lastIndexOf('/', name.length - 2) + 1
      const own = source instanceof Uint8Array ? null : source
      wayOf[index] = wayTo(own && parentOf(own), name.slice(0, cut))
      names.push(name.slice(cut))
      if (own === null) contents.set(index, source as Uint8Array)
      else if (nameOf(own) !== bare(name.slice(cut))) ownNames.set(index, nameOf(own))
      modes[index] = mode | (kind === 'folder' ? FOLDER_BIT : 0)
      sizes[index] = size
      modified[index] = time
    },
    at(index) {
      const name = names[index] ?? fail('unexpected', { incident: 'layout' })
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

function enlarged<T extends Uint16Array | Uint32Array | Float64Array>(room: T, old: T): T {
  room.set(old)
  return room
}

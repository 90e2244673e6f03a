import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf, parentOf, ROOT } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import type { Drive } from '../drive/drive.ts'
import type { Layout } from './layout.ts'
import type { Member } from './walk.ts'

/** Longer files are opened one by one: for them, opening costs little compared to reading. */
export const SMALL_BYTES = 64 * 1024
/** Files read in one call. */
const RUN_FILES = 512
const RUN_BYTES = 1024 * 1024

/** Consecutive members whose small files were read in one call. */
export interface Run {
  readonly first: number
  /** After the last. */
  readonly end: number
  /** The Access that its files were read with. */
  readonly access: Access
  /** Content and checksum of a file of the run; null for a file that has to be opened by itself. */
  read(index: number): { bytes: Uint8Array; crc: number } | null
}

/** The runs of a layout; the next one is read ahead. Ask in order. */
export interface Runs {
  /** The run that starts with the small file at `index`. Fails with `precondition-failed` if one of its files has changed since it was laid out. */
  from(index: number): Promise<Run>
}

export function createRuns(drive: Drive, layout: Layout): Runs {
  let current: Started | null = null
  let next: Started | null = null

  function start(index: number): Started {
    const plan = planOf(layout, index)
    const run = readPlan(drive, layout, plan)
    // A failure is reported when the result is awaited in order.
    run.catch(() => undefined)
    return { plan, run }
  }

  return {
    from(index) {
      if (current !== null && holds(current, index)) return current.run
      current = next !== null && holds(next, index) ? next : start(index)
      const ahead = nextSmall(layout, current.plan.end)
      next = ahead === null ? null : start(ahead)
      return current.run
    },
  }
}

export function isSmall({ kind, size, source }: Member): boolean {
  return kind === 'file' && size > 0 && size <= SMALL_BYTES && !(source instanceof Uint8Array)
}

interface Plan {
  readonly first: number
  readonly end: number
  readonly folder: FilePath
  /** Indices of the small files. */
  readonly indices: readonly number[]
  readonly names: readonly string[]
}

interface Started {
  readonly plan: Plan
  readonly run: Promise<Run>
}

function holds({ plan }: Started, index: number): boolean {
  return index >= plan.first && index < plan.end
}

/** Small files of one folder, and entries between them that need no reading. */
function planOf(layout: Layout, first: number): Plan {
  const folder = parentOf(pathOf(layout.member(first)))
  const indices: number[] = []
  const names: string[] = []
  let bytes = 0
  let end = first
  for (; end < layout.count && indices.length < RUN_FILES && bytes < RUN_BYTES; end++) {
    const member = layout.member(end)
    if (member.size === 0) continue
    if (!isSmall(member) || parentOf(pathOf(member)) !== folder) break
    indices.push(end)
    names.push(nameOf(pathOf(member)))
    bytes += member.size
  }
  return { first, end, folder, indices, names }
}

async function readPlan(drive: Drive, layout: Layout, { first, end, folder, indices, names }: Plan): Promise<Run> {
  await drive.renew()
  const { access } = drive
  const { bytes, sizes, modified, crcs } = await drive.readSmall(folder, names, { mostBytes: SMALL_BYTES })
  const found = new Map<number, { bytes: Uint8Array; crc: number }>()
  let at = 0
  for (const [i, index] of indices.entries()) {
    const size = sizes[i] ?? -1
    if (size < 0) continue
    const member = layout.member(index)
    if (member.size !== size || member.modified !== modified[i]) fail('precondition-failed', { path: pathOf(member) })
    found.set(index, { bytes: bytes.subarray(at, at + size), crc: crcs[i] ?? 0 })
    at += size
  }
  return { first, end, access, read: (index) => found.get(index) ?? null }
}

/** The next small file, if it is close: what is read ahead should be needed soon. */
function nextSmall(layout: Layout, from: number): number | null {
  for (let i = from; i < Math.min(layout.count, from + NEAR); i++) if (isSmall(layout.member(i))) return i
  return null
}

const NEAR = 16

function pathOf({ source }: Member): FilePath {
  return source instanceof Uint8Array ? ROOT : source
}

import { fail } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import type { Directory, Frame } from './frame.ts'
import { createMissed, topName } from './missed.ts'
import { inRests } from './rests.ts'
import type { Selection } from './selection.ts'
import { type Member, membersOf, reasonOf } from './walk.ts'

/** An archive whose every byte has its place before a file is read. */
export interface Layout {
  readonly frame: Frame
  readonly count: number
  /** Bytes in all. */
  readonly size: number
  /** A strong validator, in quotes: of names, sizes, times and modes. */
  readonly etag: string
  member(index: number): Member
  /** Where a member's header begins; of `count`, where the directory does. */
  offset(index: number): number
  /** Where a member's record begins within the directory. */
  recordOffset(index: number): number
  readonly directory: Directory
}

/** More would be too much to hold at a time; formats that are not laid out have no limit. */
const MOST_MEMBERS = 2_000_000

/** Walks the whole selection and reads nothing but what might not be readable. Holds some hundred bytes for each member until it is let go of. */
export async function layOut(
  drive: Drive,
  selection: Selection,
  { frame, name, signal }: { frame: Frame; name: string; signal?: AbortSignal },
): Promise<Layout> {
  const missed = createMissed()
  const members: Member[] = []
  const top = new Set<string>()
  const rest = inRests(signal)
  for await (const member of membersOf(drive, selection, { signal, onMissed: missed.add })) {
    if (members.length >= MOST_MEMBERS) fail('too-large', { limit: MOST_MEMBERS })
    const reason = await unreadable(drive, member)
    await rest()
    if (reason !== null) {
      missed.add(member.source as FilePath, reason)
      continue
    }
    members.push(member)
    top.add(topName(member.name))
  }
  const errors = missed.member(top)
  if (errors !== null) members.push(errors)
  return place(members, { frame, name })
}

/** Looks only where the permission bits leave a doubt: what everybody may read, we may. */
async function unreadable(drive: Drive, { kind, mode, source }: Member): Promise<string | null> {
  if (kind === 'folder' || (mode & 0o444) === 0o444 || source instanceof Uint8Array) return null
  try {
    await (await drive.open(source)).close()
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

function place(members: readonly Member[], { frame, name }: { frame: Frame; name: string }): Layout {
  const offsets = new Float64Array(members.length + 1)
  const records = new Float64Array(members.length + 1)
  const hash = new Bun.CryptoHasher('sha256').update(`1 ${name}\n`)
  for (const [i, member] of members.entries()) {
    const offset = offsets[i] ?? 0
    offsets[i + 1] = offset + frame.headLength(member) + member.size + frame.tailLength(member)
    records[i + 1] = (records[i] ?? 0) + frame.directoryLength(member, offset)
    hash.update(`${member.size} ${member.modified} ${member.mode} ${member.name}\0`)
    if (member.source instanceof Uint8Array) hash.update(member.source)
  }
  const directory = { count: members.length, start: offsets[members.length] ?? 0, length: records[members.length] ?? 0 }
  return {
    frame,
    count: members.length,
    size: directory.start + directory.length + frame.endLength(directory),
    etag: `"${hash.digest('hex').slice(0, 40)}"`,
    member: (index) => members[index] ?? fail('unexpected', { incident: 'layout' }),
    offset: (index) => offsets[index] ?? 0,
    recordOffset: (index) => records[index] ?? 0,
    directory,
  }
}

/** The last index whose start is not after `at`, of `count` starts in order. */
export function indexAt(start: (index: number) => number, count: number, at: number): number {
  let low = 0
  let high = count
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (start(middle) <= at) low = middle
    else high = middle
  }
  return low
}

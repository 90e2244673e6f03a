import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf, parentOf } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import type { Directory, Frame } from './frame.ts'
import { createMembers, type Members } from './members.ts'
import { createSkipped, type OnSkipped } from './skipped.ts'
import { yieldBetweenFiles } from './yield-between-files.ts'
import type { Selection } from './selection.ts'
import { type Member, membersOf, reasonOf } from './walk.ts'

/** An archive in which the position of every byte is known before a file is read. */
export interface Layout {
  readonly frame: Frame
  readonly count: number
  /** Total bytes. */
  readonly size: number
  /** A strong validator, in quotes, of names, sizes, times and modes. */
  readonly etag: string
  member(index: number): Member
  /** Where a member's header begins; for `count`, where the directory begins. */
  offset(index: number): number
  /** Where a member's record begins, within the directory. */
  recordOffset(index: number): number
  readonly directory: Directory
}

/** More would need too much memory at once; formats without a layout have no limit. */
const MOST_MEMBERS = 2_000_000
/** Members whose permissions are checked together. */
const AT_ONCE = 1024

/** Walks the whole selection; opens only files that might not be readable. Needs some hundred bytes for each member while it is in use. */
export async function layOut(
  drive: Drive,
  selection: Selection,
  { frame, name, signal, onSkipped }: { frame: Frame; name: string; signal?: AbortSignal; onSkipped?: OnSkipped },
): Promise<Layout> {
  const skipped = createSkipped(onSkipped)
  const members = createMembers()
  const rest = yieldBetweenFiles(signal)
  async function take(some: readonly Member[]): Promise<void> {
    const doubts = await doubtful(drive, some)
    for (const member of some) {
      const reason = doubts.has(member) ? await unreadable(drive, member) : null
      if (doubts.has(member)) await rest()
      if (reason !== null) {
        skipped.add(member.source as FilePath, reason)
        continue
      }
      members.add(member)
      skipped.see(member.name)
    }
  }

  let waiting: Member[] = []
  for await (const member of membersOf(drive, selection, { signal, onSkipped: skipped.add })) {
    if (members.count + waiting.length >= MOST_MEMBERS) fail('too-large', { limit: MOST_MEMBERS })
    if (waiting.push(member) < AT_ONCE) continue
    await take(waiting)
    waiting = []
    await rest()
  }
  await take(waiting)
  const errors = skipped.member()
  if (errors !== null) members.add(errors)
  return place(members, { frame, name })
}

/** Files that must be opened to find out whether they are readable: their mode denies it, or there is a link on the way. */
async function doubtful(drive: Drive, members: readonly Member[]): Promise<Set<Member>> {
  const doubts = new Set<Member>()
  const files = members.filter(({ kind, source }) => kind === 'file' && !(source instanceof Uint8Array))
  for (const [folder, inside] of Map.groupBy(files, ({ source }) => parentOf(source as FilePath))) {
    const names = inside.map(({ source }) => nameOf(source as FilePath))
    const readable = await drive.readable(folder, names).catch(() => null)
    for (const [i, member] of inside.entries()) if (readable?.[i] !== 1 || member.linked === true) doubts.add(member)
  }
  return doubts
}

async function unreadable(drive: Drive, { source }: Member): Promise<string | null> {
  if (source instanceof Uint8Array) return null
  try {
    await (await drive.open(source)).close()
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

function place(members: Members, { frame, name }: { frame: Frame; name: string }): Layout {
  const offsets = new Float64Array(members.count + 1)
  const records = new Float64Array(members.count + 1)
  const hash = new Bun.CryptoHasher('sha256').update(`1 ${name}\n`)
  let text = ''
  for (let i = 0; i < members.count; i++) {
    const member = members.at(i)
    const offset = offsets[i] ?? 0
    offsets[i + 1] = offset + frame.headLength(member) + member.size + frame.tailLength(member)
    records[i + 1] = (records[i] ?? 0) + frame.directoryLength(member, offset)
    text += `${member.size} ${member.modified} ${member.mode} ${member.name}\0`
    if (text.length > HASHED_AT_ONCE) text = hashed(hash, text)
    if (!(member.source instanceof Uint8Array)) continue
    text = hashed(hash, text)
    hash.update(member.source)
  }
  hashed(hash, text)
  const directory = { count: members.count, start: offsets[members.count] ?? 0, length: records[members.count] ?? 0 }
  return {
    frame,
    count: members.count,
    size: directory.start + directory.length + frame.endLength(directory),
    etag: `"${hash.digest('hex').slice(0, 40)}"`,
    member: members.at,
    offset: (index) => offsets[index] ?? 0,
    recordOffset: (index) => records[index] ?? 0,
    directory,
  }
}

/** Each call costs more than the characters. */
const HASHED_AT_ONCE = 32 * 1024

function hashed(hash: Bun.CryptoHasher, text: string): '' {
  hash.update(text)
  return ''
}

/** The last index whose start is not after `at`, of `count` ascending starts. */
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

import type { Part } from '../../shared/file-part.ts'
import type { Drive } from '../drive/drive.ts'
import type { Checksums } from './checksums.ts'
import { indexAt, type Layout } from './layout.ts'
import { chunksOf, expectReadable, expectUnchanged, openUnchanged, partsOf, whileReadable } from './reading.ts'
import { createRuns, isSmall, type Run, type Runs } from './runs.ts'
import { createMemberChecksums, type MemberChecksums } from './member-checksums.ts'
import type { Member } from './walk.ts'

interface Reading {
  readonly drive: Drive
  readonly layout: Layout
  readonly sums: MemberChecksums
  readonly runs: Runs
  readonly known: Known
  readonly start: number
  readonly end: number
}

/** Checksums of members that have been sent. */
type Known = ReturnType<typeof createKnown>

/**
 * The bytes of an archive from `start` up to, not including, `end`; the same bytes every time. Earlier files are read only if their checksums are not
 * known. Fails with `precondition-failed` if a file has changed since it was laid out.
 */
export async function* layoutBytes(
  layout: Layout,
  { drive, checksums, start, end, signal }: { drive: Drive; checksums: Checksums; start: number; end: number; signal: AbortSignal },
): AsyncGenerator<Part, void> {
  const sums = createMemberChecksums(drive, checksums, signal)
  const reading = { drive, layout, sums, runs: createRuns(drive, layout), known: createKnown(layout.count), start, end }
  try {
    yield* members(reading)
    yield* directory(reading)
    const { frame, directory: records } = layout
    yield* within(reading, records.start + records.length, frame.end(records))
  } finally {
    await checksums.save()
  }
}

async function* members(reading: Reading): AsyncGenerator<Part, void> {
  const { layout, start, end } = reading
  if (start >= layout.directory.start) return
  for (let i = indexAt(layout.offset, layout.count, start); i < layout.count && layout.offset(i) < end;) {
    await reading.drive.renew()
    const run = isSmall(layout.member(i)) ? await reading.runs.from(i) : null
    const { bytes, next } = run === null ? NOTHING_READ : joinedRun(reading, run, i)
    if (run !== null) await expectStillReadable(reading, run, { first: i, end: next })
    if (next > i) yield* within(reading, layout.offset(i), bytes)
    else yield* oneMember(reading, i)
    i = Math.max(next, i + 1)
  }
}

/** Nothing that was read ahead may be sent after it was denied. */
async function expectStillReadable({ drive, layout }: Reading, run: Run, { first, end }: { first: number; end: number }): Promise<void> {
  await drive.renew()
  if (drive.access === run.access) return
  for (let i = first; i < end; i++) {
    const { source, kind } = layout.member(i)
    if (kind === 'file' && !(source instanceof Uint8Array)) await expectReadable(drive, source)
  }
}

const NOTHING_READ = { bytes: new Uint8Array(0), next: 0 }

/** Members from `first` on, as far as a run has read them, as one chunk: a chunk for each would cost more than its bytes. */
function joinedRun({ layout, known }: Reading, run: Run, first: number): { bytes: Uint8Array; next: number } {
  const { frame } = layout
  const parts: Uint8Array[] = []
  let next = first
  for (; next < run.end; next++) {
    const member = layout.member(next)
    const file = member.size === 0 ? EMPTY : run.read(next)
    if (file === null) break
    parts.push(frame.head(member), file.bytes, frame.tail(member, file.crc))
    known.set(next, file.crc)
  }
  return { bytes: Buffer.concat(parts), next }
}

const EMPTY = { bytes: new Uint8Array(0), crc: 0 }

async function* oneMember(reading: Reading, index: number): AsyncGenerator<Part, void> {
  const { layout, sums, known, start, end } = reading
  const { frame } = layout
  const member = layout.member(index)
  const head = frame.head(member)
  const data = layout.offset(index) + head.length
  const tail = data + member.size
  yield* within(reading, layout.offset(index), head)
  if (member.size > 0 && start < tail && data < end) {
    const span = { first: Math.max(0, start - data), last: Math.min(member.size, end - data) }
    yield* content(reading, member, span)
  }
  const next = layout.offset(index + 1)
  if (next === tail || end <= tail || start >= next) return
  const crc = needsSum(layout) ? await sums.of(member) : 0
  known.set(index, crc)
  yield* within(reading, tail, frame.tail(member, crc))
}

async function* content(
  { drive, sums, layout }: Reading,
  member: Member,
  { first, last }: { first: number; last: number },
): AsyncGenerator<Part, void> {
  if (member.source instanceof Uint8Array) {
    yield member.source.subarray(first, last)
    return
  }
  await using file = await openUnchanged(drive, member)
  const watch = needsSum(layout) ? await sums.watch(file, first) : null
  const parts = watch === null ? partsOf(file, first, last) : seenBy(watch, chunksOf(file, first, last))
  yield* whileReadable(drive, member.source, parts)
  await expectUnchanged(drive, member, file)
}

async function* seenBy(
  watch: { see(bytes: Uint8Array): Promise<void> },
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  for await (const bytes of chunks) {
    await watch.see(bytes)
    yield bytes
  }
}

async function* directory(reading: Reading): AsyncGenerator<Part, void> {
  const { layout, known, start, end } = reading
  const { frame, directory: records } = layout
  if (start >= records.start + records.length || end <= records.start) return
  const from = Math.max(0, start - records.start)
  let batch: Uint8Array[] = []
  let at = records.start + layout.recordOffset(indexAt(layout.recordOffset, layout.count, from))
  let bytes = 0
  for (let i = indexAt(layout.recordOffset, layout.count, from); i < layout.count && records.start + layout.recordOffset(i) < end; i++) {
    const member = layout.member(i)
    const record = frame.directory(member, { offset: layout.offset(i), crc: known.get(i) ?? (await sumOf(reading, i)) })
    batch.push(record)
    bytes += record.length
    if (bytes < BATCH_BYTES) continue
    yield* within(reading, at, Buffer.concat(batch))
    at += bytes
    batch = []
    bytes = 0
  }
  yield* within(reading, at, Buffer.concat(batch))
}

/** The checksum of a member that was not sent whole. */
async function sumOf({ layout, runs, sums }: Reading, index: number): Promise<number> {
  const member = layout.member(index)
  const read = isSmall(member) ? (await runs.from(index)).read(index) : null
  return read?.crc ?? sums.of(member)
}

const BATCH_BYTES = 64 * 1024

function createKnown(count: number) {
  const values = new Uint32Array(count)
  const isKnown = new Uint8Array(count)
  return {
    get: (index: number): number | null => (isKnown[index] === 1 ? (values[index] ?? 0) : null),
    set(index: number, crc: number): void {
      isKnown[index] = 1
      values[index] = crc
    },
  }
}

function needsSum({ directory: records }: Layout): boolean {
  return records.length > 0
}

/** The requested part of `bytes`, which begin at `at`. */
function* within({ start, end }: Reading, at: number, bytes: Uint8Array): Generator<Uint8Array, void> {
  const part = bytes.subarray(Math.max(0, start - at), Math.max(0, end - at))
  if (part.length > 0) yield part
}

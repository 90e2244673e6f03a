import { fail } from '../../shared/errors.ts'
import { type Part, piecesOf } from '../../shared/file-part.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import type { Member } from './walk.ts'

export type OpenFile = Awaited<ReturnType<Drive['open']>>

/** Bytes read at a time. */
const CHUNK_BYTES = 256 * 1024

/** Opens the file of a member if it is unchanged since it was laid out; otherwise fails with `precondition-failed`. The caller closes it. */
export async function openUnchanged(drive: Drive, { source, size, modified }: Member): Promise<OpenFile> {
  if (source instanceof Uint8Array) throw new TypeError('no file')
  const file = await drive.open(source)
  if (file.stat.size === size && file.stat.modified === modified) return file
  await file.close()
  return fail('precondition-failed', { path: source })
}

/** Bytes of an open file; the next chunk is read ahead. Fails with `precondition-failed` if the file has become shorter. */
export async function* chunksOf(file: OpenFile, start: number, end: number): AsyncGenerator<Uint8Array, void> {
  const read = (at: number) => (at < end ? file.peek(at, Math.min(CHUNK_BYTES - (at % CHUNK_BYTES), end - at)) : null)
  let next = read(start)
  try {
    for (let at = start; next !== null;) {
      const bytes = await next
      const wanted = Math.min(CHUNK_BYTES - (at % CHUNK_BYTES), end - at)
      if (bytes.length < wanted) fail('precondition-failed', {})
      at += bytes.length
      next = read(at)
      yield bytes
    }
  } finally {
    // A failure of a chunk that nobody awaits is ignored.
    next?.catch(() => undefined)
  }
}

/** The bytes of an open file when nobody needs to see them: the file itself if this thread may read it, otherwise as `chunksOf`. */
export async function* partsOf(file: OpenFile, start: number, end: number): AsyncGenerator<Part, void> {
  if (file.descriptor === null || file.slice === undefined) yield* chunksOf(file, start, end)
  else if (start < end) yield { descriptor: file.descriptor, start, end, peek: file.peek }
}

/** The same parts, as long as the file may be read: if it is denied meanwhile, fails with `access-changed` within one piece. */
export async function* whileReadable(drive: Drive, path: FilePath, parts: AsyncIterable<Part>): AsyncGenerator<Part, void> {
  let { access } = drive
  for await (const part of parts)
    for (const piece of piecesOf(part)) {
      await drive.renew()
      if (drive.access !== access) await expectReadable(drive, path)
      access = drive.access
      yield piece
    }
}

/** Fails as opening the file now would. */
export async function expectReadable(drive: Drive, path: FilePath): Promise<void> {
  await (await drive.open(path)).close()
}

/** Fails if a file has changed while it was read. */
export async function expectUnchanged(drive: Drive, member: Member, file: OpenFile): Promise<void> {
  if (member.source instanceof Uint8Array || member.size <= CHUNK_BYTES) return
  const { stat } = await drive.stat(member.source)
  const same = stat.identity === file.stat.identity && stat.size === member.size && stat.modified === member.modified
  if (!same) fail('precondition-failed', {})
}

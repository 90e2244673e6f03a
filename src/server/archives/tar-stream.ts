import { bytesOf } from '../../shared/file-part.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import { createSkipped, type OnSkipped } from './skipped.ts'
import { chunksOf, type OpenFile, whileReadable } from './reading.ts'
import { yieldBetweenFiles } from './yield-between-files.ts'
import type { Selection } from './selection.ts'
import { tar } from './tar.ts'
import { type Member, membersOf, reasonOf } from './walk.ts'

/**
 * A tar that is written while the tree is walked: each header describes the file that is open at that moment. Keeps one folder per level in memory.
 */
export async function* tarBytes(
  drive: Drive,
  selection: Selection,
  { signal, onSkipped }: { signal: AbortSignal; onSkipped?: OnSkipped },
): AsyncGenerator<Uint8Array, void> {
  const skipped = createSkipped(onSkipped)
  const rest = yieldBetweenFiles(signal)
  for await (const member of membersOf(drive, selection, { signal, onSkipped: skipped.add })) {
    await rest()
    skipped.see(member.name)
    if (member.kind === 'folder') yield tar.head(member)
    else yield* withFile(drive, member, skipped.add)
  }
  const errors = skipped.member()
  if (errors?.source instanceof Uint8Array) yield Buffer.concat([tar.head(errors), errors.source, tar.tail(errors, 0)])
  yield tar.end({ count: 0, start: 0, length: 0 })
}

async function* withFile(
  drive: Drive,
  member: Member,
  onSkipped: (path: FilePath, reason: string) => void,
): AsyncGenerator<Uint8Array, void> {
  const path = member.source as FilePath
  let opened: OpenFile
  try {
    opened = await drive.open(path)
  } catch (error) {
    return onSkipped(path, reasonOf(error))
  }
  await using file = opened
  const { size, modified } = file.stat
  const now = { ...member, size, modified }
  yield tar.head(now)
  yield* bytesOf(whileReadable(drive, path, chunksOf(file, 0, size)))
  yield tar.tail(now, 0)
}

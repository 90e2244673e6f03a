import type { QueryClient } from '@tanstack/react-query'
import { fileType } from '../../../shared/file-type.ts'
import { type FilePath, joinPath, nameOf, parentOf, ROOT } from '../../../shared/file-path.ts'
import { entriesIn, type InnerEntry, readArchive } from '../../data/archives.ts'
import type { TransferConflict } from '../../data/transfer-conflicts.ts'
import { readFolder, nameChecker } from '../../data/folders.ts'
import { startJob } from '../../data/jobs.ts'
import { entryOf, indexOfNames, type ListedEntry } from '../../data/listing.ts'
import { ask } from '../../data/prompts.ts'
import { withGesture } from '../../data/undo.ts'
import type { ConflictAnswer } from '../../data/uploads/send.ts'
import { stemLength } from '../../widgets/names.ts'

/** Extracts into a new folder beside the archive. */
export async function extractHere(queries: QueryClient, path: FilePath): Promise<void> {
  await startGesture((group) => startJob(queries, { kind: 'extract', path, destination: parentOf(path), own: true }, group))
}

export interface Extraction {
  readonly path: FilePath
  /** Modification time of the archive, in milliseconds since 1970. */
  readonly modified: number
  /** The folder inside the archive that `names` refers to. */
  readonly inside?: string
  /** Names to extract; all if absent. */
  readonly names?: readonly string[]
}

/** Asks for the destination and about every name conflict before extracting. @returns whether extraction has started */
export async function askExtract(queries: QueryClient, { path, modified, inside = '', names }: Extraction): Promise<boolean> {
  const subject = names?.length === 1 ? joinPath(ROOT, names[0] ?? '') : path
  const destination = await ask('extract', { sources: [subject], start: parentOf(path) })
  if (destination === null) return false
  const { entries } = await readArchive(queries, path, modified)
  const wanted = entriesIn(entries, inside).filter(({ name }) => names?.includes(name) ?? true)
  const answers = await answersFor(queries, wanted, destination)
  if (answers === null) return false
  const order = { kind: 'extract' as const, path, destination, inside, answers, ...(names === undefined ? {} : { names: [...names] }) }
  await startGesture((group) => startJob(queries, order, group))
  return true
}

const TAKEN = { replace: 'replace', 'keep-both': 'rename', skip: 'skip' } as const satisfies Record<ConflictAnswer, string>

/** Null if the dialog was dismissed. */
async function answersFor(queries: QueryClient, wanted: readonly InnerEntry[], into: FilePath) {
  const target = await readFolder(queries, into)
  const indexOf = target && indexOfNames(target)
  const conflicts: TransferConflict[] = wanted.flatMap((entry, index) => {
    const there = indexOf && indexOf(entry.name)
    if (target === null || there === null) return []
    // As if the sources were in the root.
    return [{ from: joinPath(ROOT, entry.name), name: entry.name, existing: entryOf(target, there), incoming: listed(entry, index) }]
  })
  if (conflicts.length === 0) return {}
  const answers = await ask('transfer-conflict', { conflicts })
  return answers && Object.fromEntries([...answers].map(([from, answer]) => [nameOf(from), TAKEN[answer]]))
}

function listed({ name, isDir, size, modified }: InnerEntry, index: number): ListedEntry {
  return {
    index,
    path: joinPath(ROOT, name),
    name,
    size: size ?? 0,
    modified: modified ?? Number.NaN,
    type: isDir ? '' : (fileType(name) ?? 'blob'),
    isDir,
    isLink: false,
  }
}

/** Asks for a name and a format and compresses the entries into an archive beside them. */
export async function askCompress(
  queries: QueryClient,
  folder: FilePath,
  entries: readonly { path: FilePath; isDir: boolean }[],
): Promise<void> {
  const [first] = entries
  if (first === undefined) return
  const single = nameOf(first.path)
  const name = entries.length === 1 ? single.slice(0, stemLength(single, first)) : nameOf(folder) || 'archive'
  const paths = entries.map(({ path }) => path)
  const answer = await ask('compress', { paths, name, taken: nameChecker(queries, folder) })
  if (answer === null) return
  const order = { kind: 'pack' as const, paths, destination: joinPath(folder, answer.name), format: answer.format }
  await startGesture((group) => startJob(queries, order, group))
}

/** A gesture that ends with its job. @returns when the job has started; fails if it was rejected */
async function startGesture(start: (group: string) => ReturnType<typeof startJob>): Promise<void> {
  const started = Promise.withResolvers<void>()
  const all = withGesture(async ({ group }) => {
    const { ended } = await start(group)
    started.resolve()
    await ended
  })
  await Promise.race([started.promise, all])
}

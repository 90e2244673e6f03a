import type { JobRequest } from '../../shared/contract/jobs.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, joinPath, nameOf, parentOf, parseFilePath } from '../../shared/file-path.ts'
import { numbered } from '../../shared/numbering.ts'
import type { Archives } from '../archives/respond.ts'
import { archiveStream } from '../archives/archive-stream.ts'
import type { Drive } from '../drive/drive.ts'
import { withStaged } from '../drive/with-staged.ts'
import type { PreparedJob, JobContext } from './prepared-job.ts'
import { sizeOfAll } from './size.ts'

type Order = JobRequest & { kind: 'pack' }

export async function preparePack(order: Order, { drive, archives }: { drive: Drive; archives: Archives }): Promise<PreparedJob> {
  const paths = order.paths.map(parseFilePath)
  const asked = parseFilePath(order.destination)
  if (!drive.may('create', asked)) fail('forbidden', { right: 'create' })
  // What may not be read is left out, as in an archive that is downloaded.
  if (!drive.mayAnywhere('download')) fail('forbidden', { right: 'download' })
  for (const path of paths) await drive.stat(path)
  const destination = order.taken === 'rename' ? await freePath(drive, asked) : asked
  const replace = order.taken === 'replace'
  await drive.expect(destination, { replace })
  return {
    name: nameOf(destination),
    destination,
    run: async (context) => pack(context, { archives, paths, destination, replace, format: order.format }),
  }
}

interface Packing extends Pick<Order, 'format'> {
  readonly archives: Archives
  readonly paths: readonly FilePath[]
  readonly destination: FilePath
  readonly replace: boolean
}

/** The archive gets its name when it is complete. */
async function pack(
  { drive, progress, signal, changing }: JobContext,
  { archives, paths, destination, replace, format }: Packing,
): Promise<void> {
  const total = await sizeOfAll(drive, paths, { signal })
  progress.total(total)
  let read = 0
  // Names and headers come on top of what was counted.
  const onRead = (bytes: number): void => progress.read(Math.min(total, (read += bytes)))
  const onSkipped = (path: FilePath): void => progress.leftOut(path, 'unreadable')
  await withStaged(drive, destination, async (staged) => {
    for await (const bytes of archiveStream(drive, paths, { format, checksums: archives.checksums, signal, onRead, onSkipped })) {
      await staged.append(bytes, { signal })
    }
    await changing()
    await drive.put(destination, staged, { replace })
    progress.placed()
  })
}

async function freePath(drive: Drive, path: FilePath): Promise<FilePath> {
  const { names } = await drive.list(parentOf(path))
  const taken = new Set(names)
  for (let name = nameOf(path), n = 1; ; name = numbered(nameOf(path), n++)) {
    if (!taken.has(name)) return joinPath(parentOf(path), name)
  }
}

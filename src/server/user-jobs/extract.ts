import type { JobRequest } from '../../shared/contract/jobs.ts'
import { nameOf, parseFilePath } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import { expectExtraction, extract, type Extraction } from '../unpack/extract.ts'
import type { Unpacker } from '../unpack/unpacker.ts'
import type { PreparedJob } from './prepared-job.ts'

/** Fails early with everything that can be known before the job starts. */
export async function prepareExtract(
  order: JobRequest & { kind: 'extract' },
  { drive, unpacker }: { drive: Drive; unpacker: Unpacker },
): Promise<PreparedJob> {
  const { own, inside, taken, answers } = order
  const path = parseFilePath(order.path)
  const destination = parseFilePath(order.destination)
  const names = order.names === undefined ? null : new Set(order.names)
  const extraction: Extraction = { path, destination, own, inside, names, taken, answers }
  await expectExtraction(drive, extraction)
  const { size } = (await drive.stat(path)).stat
  return {
    name: nameOf(path),
    destination,
    async run(context) {
      context.progress.total(size)
      await extract({ ...context, unpacker }, extraction)
      context.progress.read(size)
    },
  }
}

import type { JobRequest } from '../../shared/contract/jobs.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf, parentOf, parseFilePath, ROOT } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import type { PreparedJob, JobContext, JobProgress } from './prepared-job.ts'
import { sizeOfAll } from './size.ts'

type Order = JobRequest & { kind: 'copy' | 'move' }

/** Counting what is to be moved may take this long; after that the total stays unknown. */
const COUNT_MS = 20_000

interface Transfer {
  readonly from: FilePath
  readonly to: FilePath
  readonly replace: boolean
  readonly rename: boolean
}

/** Copies or moves the items one after the other, each as the single call does; if one fails, the others continue. */
export async function prepareTransfer({ kind, items }: Order, { drive }: { drive: Drive }): Promise<PreparedJob> {
  const transfers = items.map((item): Transfer => ({ ...item, from: parseFilePath(item.from), to: parseFilePath(item.to) }))
  for (const { from, to, replace } of transfers) {
    if (kind === 'copy' && !drive.may('create', to)) fail('forbidden', { right: 'create' })
    if (kind === 'move' && !drive.may('rename', from)) fail('forbidden', { right: 'rename' })
    if (replace && !drive.may('modify', to)) fail('forbidden', { right: 'modify' })
  }
  for (const { from } of transfers) await drive.stat(from)
  const [first] = transfers
  return {
    name: nameOf(first?.from ?? ROOT),
    destination: parentOf(first?.to ?? ROOT),
    run: async (context) => run(context, { kind, transfers }),
  }
}

async function run(context: JobContext, { kind, transfers }: { kind: Order['kind']; transfers: readonly Transfer[] }): Promise<void> {
  const { drive, progress, signal } = context
  const progressOf = createTransferProgress(progress, transfers.length)
  // A move within a file system is immediate, whatever its size, so it is not counted first.
  if (kind === 'copy') await countFrom(0, { context, transfers, progressOf })
  const ended = new AbortController()
  const counting: Promise<void>[] = []
  /** A move turned out to be a copy, and so may the rest be: it is counted in parallel with the work. */
  const onTotal = (index: number, bytes: number): void => {
    progressOf.expect(bytes)
    if (counting.length > 0) return
    const until = AbortSignal.any([signal, ended.signal, AbortSignal.timeout(COUNT_MS)])
    counting.push(countFrom(index + 1, { context: { drive, signal: until }, transfers, progressOf }).catch(() => undefined))
  }
  let failure: { error: unknown } | null = null
  await context.changing()
  for (const [index, { from, to, replace, rename }] of transfers.entries()) {
    // If the user may do nothing any more, this is reported once, not for each item.
    await drive.renew()
    progressOf.begin(index)
    const options = { replace, rename, signal, onProgress: progressOf.copied }
    try {
      if (kind === 'copy') await drive.copy(from, to, options)
      else await drive.move(from, to, { ...options, onTotal: (bytes) => onTotal(index, bytes) })
      progress.placed()
    } catch (error) {
      signal.throwIfAborted()
      progress.failed(from, error)
      failure ??= { error }
    }
  }
  progressOf.begin(transfers.length)
  ended.abort()
  await Promise.all(counting)
  if (failure !== null) throw failure.error
}

interface Counting {
  readonly context: Pick<JobContext, 'drive' | 'signal'>
  readonly transfers: readonly Transfer[]
  readonly progressOf: TransferProgress
}

/** An item that cannot be counted cannot be copied either, which is reported in its turn. */
async function countFrom(first: number, { context: { drive, signal }, transfers, progressOf: tally }: Counting): Promise<void> {
  for (const [index, { from }] of transfers.entries()) {
    if (index < first) continue
    const size = await sizeOfAll(drive, [from], { signal }).catch(() => 0)
    signal.throwIfAborted()
    tally.count(index, size)
  }
}

/** Progress of several items that are copied one after the other. */
type TransferProgress = ReturnType<typeof createTransferProgress>

/** Reports the total as soon as any size was reported and all remaining ones are known. @param count number of items */
function createTransferProgress(watch: Pick<JobProgress, 'total' | 'read'>, count: number) {
  const later: (number | null)[] = Array.from({ length: count }, () => null)
  let [at, before, own, done] = [-1, 0, 0, 0]
  let isReporting = false

  function report(): void {
    isReporting = true
    const rest = later.slice(at + 1)
    if (!rest.includes(null)) watch.total(before + own + rest.reduce<number>((sum, size) => sum + (size ?? 0), 0))
  }

  return {
    /** The item at `index` starts, or none after the last; the one before has ended, successfully or not. */
    begin(index: number): void {
      before += done
      at = index
      own = later[index] ?? 0
      done = 0
      if (isReporting) report()
    },
    expect(bytes: number): void {
      own = bytes
      report()
    },
    count(index: number, bytes: number): void {
      later[index] = bytes
      report()
    },
    copied(bytes: number): void {
      done = bytes
      watch.read(before + bytes)
    },
  }
}

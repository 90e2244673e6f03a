import type { JobOrder } from '../../shared/contract/jobs.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf, parentOf, parseFilePath, ROOT } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import type { Deed, DeedContext } from './deed.ts'
import { sizeOfAll } from './size.ts'

type Order = JobOrder & { kind: 'copy' | 'move' }

interface Transfer {
  readonly from: FilePath
  readonly to: FilePath
  readonly replace: boolean
  readonly rename: boolean
}

/** Copies or moves one thing after the other, each as the single call does: where one fails the others go all the same. */
export async function transferDeed({ kind, items }: Order, { drive }: { drive: Drive }): Promise<Deed> {
  const right = kind === 'copy' ? 'create' : 'rename'
  if (!drive.may(right)) fail('forbidden', { right })
  if (items.some(({ replace }) => replace) && !drive.may('modify')) fail('forbidden', { right: 'modify' })
  const transfers = items.map((item): Transfer => ({ ...item, from: parseFilePath(item.from), to: parseFilePath(item.to) }))
  for (const { from } of transfers) await drive.stat(from)
  const [first] = transfers
  return {
    name: nameOf(first?.from ?? ROOT),
    destination: parentOf(first?.to ?? ROOT),
    run: async (context) => run(context, { kind, transfers }),
  }
}

async function run(
  { driveNow, watch, signal }: DeedContext,
  { kind, transfers }: { kind: 'copy' | 'move'; transfers: readonly Transfer[] },
): Promise<void> {
  const drive = await driveNow()
  // What is moved within a file system is moved at once, however much it is: nobody counts it first.
  const sizes = kind === 'copy' ? await sizesOf(drive, transfers, signal) : []
  if (kind === 'copy') watch.total(sizes.reduce((sum, size) => sum + size, 0))
  let before = 0
  let failure: { error: unknown } | null = null
  for (const [index, { from, to, replace, rename }] of transfers.entries()) {
    const now = await driveNow()
    let copied = 0
    const onProgress = (bytes: number): void => watch.read(before + (copied = bytes))
    const options = { replace, rename, signal, onProgress }
    try {
      await (kind === 'copy' ? now.copy(from, to, options) : now.move(from, to, options))
      watch.placed()
    } catch (error) {
      signal.throwIfAborted()
      watch.failed(from, error)
      failure ??= { error }
    }
    before += sizes[index] ?? copied
    watch.read(before)
  }
  if (failure !== null) throw failure.error
}

/** What cannot be counted is not there to be copied either, which is told in its turn. */
async function sizesOf(drive: Drive, transfers: readonly Transfer[], signal: AbortSignal): Promise<number[]> {
  const sizes: number[] = []
  for (const { from } of transfers) {
    const size = await sizeOfAll(drive, [from], { signal }).catch(() => 0)
    signal.throwIfAborted()
    sizes.push(size)
  }
  return sizes
}

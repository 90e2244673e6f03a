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

/** Copies or moves one thing after the other, each as the single call does; what was done before one fails stays done. */
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
  const sizes: number[] = []
  for (const { from } of transfers) sizes.push(await sizeOfAll(drive, [from], { signal }))
  watch.total(sizes.reduce((sum, size) => sum + size, 0))
  let before = 0
  for (const [index, { from, to, replace, rename }] of transfers.entries()) {
    const now = await driveNow()
    const options = { replace, rename, signal, onProgress: (bytes: number) => watch.read(before + bytes) }
    await (kind === 'copy' ? now.copy(from, to, options) : now.move(from, to, options))
    before += sizes[index] ?? 0
    watch.read(before)
    watch.placed()
  }
}

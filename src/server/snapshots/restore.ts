import { fail, isAppError, nullOn } from '../../shared/errors.ts'
import { type FilePath, joinPath, nameOf, parentOf, parseFilePath, ROOT } from '../../shared/file-path.ts'
import { numbered } from '../../shared/numbering.ts'
import type { Drive } from '../drive/drive.ts'
import { kindOf } from '../drive/entry.ts'
import { withStaged } from '../drive/with-staged.ts'
import type { JobContext, PreparedJob } from '../user-jobs/prepared-job.ts'
import { sizeOfAll } from '../user-jobs/size.ts'
import type { Snapshots } from './snapshots.ts'

export interface RestoreItem {
  /** In the snapshot. */
  readonly from: string
  readonly to: string
  /** Files are replaced, folders merged. */
  readonly replace: boolean
  /** If the name is taken, a number is added. Takes precedence over `replace`. */
  readonly rename: boolean
}

/** Copies from a snapshot, item by item; if one fails, the others continue. Fails early if it is already known that it would fail. */
export async function prepareRestore(
  snapshots: Snapshots,
  { drive, id, items }: { drive: Drive; id: string; items: readonly RestoreItem[] },
): Promise<PreparedJob> {
  // Not `download-refused`, whose status would be a yes for those who look at nothing else.
  const orders = items.map((item) => ({ ...item, from: parseFilePath(item.from), to: parseFilePath(item.to) }))
  for (const { from, to, replace } of orders) {
    if (!drive.may('download', from)) fail('forbidden', { right: 'download' })
    for (const right of replace ? (['create', 'modify'] as const) : (['create'] as const))
      if (!drive.may(right, to)) fail('forbidden', { right })
  }
  using snapshot = await snapshots.open(id, drive.access)
  for (const { from, to } of orders) {
    if (from === ROOT || to === ROOT) fail('forbidden', { right: 'create' })
    const { kind } = (await snapshot.drive.stat(from)).stat
    if (kind !== 'file' && kind !== 'folder') fail('not-found', { path: from })
  }
  const [first] = orders
  return {
    name: nameOf(first?.from ?? ROOT),
    destination: parentOf(first?.to ?? ROOT),
    async run(context) {
      const { progress, signal } = context
      using source = await snapshots.open(id, context.drive.access)
      const past = source.drive.strict()
      progress.total(
        await sizeOfAll(
          past,
          orders.map(({ from }) => from),
          { signal },
        ),
      )
      const copying = { ...context, past, read: 0 }
      let failure: { error: unknown } | null = null
      for (const order of orders) {
        // If the user may do nothing any more, this is reported once, not for each item.
        await context.drive.renew()
        try {
          await restoreOne(copying, order)
          progress.placed()
        } catch (error) {
          signal.throwIfAborted()
          progress.failed(order.from, error)
          failure ??= { error }
        }
      }
      if (failure !== null) throw failure.error
    },
  }
}

interface Copying extends JobContext {
  readonly past: Drive
  /** Bytes so far. */
  read: number
}

interface Order {
  readonly from: FilePath
  readonly to: FilePath
  readonly replace: boolean
  readonly rename: boolean
}

async function restoreOne(copying: Copying, { from, to, replace, rename }: Order): Promise<void> {
  const { drive, past } = copying
  const { stat } = await past.stat(from)
  if (!rename) return copyNode(copying, { from, to, kind: stat.kind, replace, isTop: true })
  for (let n = 0; ; n++) {
    const free = n === 0 ? to : joinPath(parentOf(to), numbered(nameOf(to), n))
    if ((await nullOn('not-found', drive.stat(free))) !== null) continue
    try {
      return await copyNode(copying, { from, to: free, kind: stat.kind, replace: false, isTop: true })
    } catch (error) {
      // Somebody else took the name in the meantime.
      if (!isAppError(error, 'already-exists') || error.detail.path !== free) throw error
    }
  }
}

interface Step {
  readonly from: FilePath
  readonly to: FilePath
  readonly kind: string
  readonly replace: boolean
  readonly isTop: boolean
}

/** As a copy does: what the viewer cannot see is left out, and so are special files, broken links, and links to folders below the first. */
async function copyNode(copying: Copying, step: Step): Promise<void> {
  copying.signal.throwIfAborted()
  if (step.kind === 'file') return copyFile(copying, step)
  if (step.kind === 'folder') return copyFolder(copying, step)
  if (step.isTop) fail('not-found', { path: step.from })
}

async function copyFile(copying: Copying, { from, to, replace }: Step): Promise<void> {
  const { drive, past, progress, signal } = copying
  await drive.expect(to, { replace })
  await using file = await past.open(from)
  const { size, modified } = file.stat
  await withStaged(drive, to, async (staged) => {
    await staged.append(
      counted(file.stream(0, size), (bytes) => progress.read((copying.read += bytes))),
      { signal, announced: size },
    )
    await drive.put(to, staged, { replace, modified })
  })
}

async function copyFolder(copying: Copying, { from, to, replace }: Step): Promise<void> {
  const { drive, past, signal } = copying
  const now = await nullOn('not-found', drive.stat(to))
  if (now !== null && (now.stat.kind !== 'folder' || !replace)) fail('already-exists', { path: to })
  const { names, modes, linked } = await past.list(from, { signal })
  await drive.makeFolder(to)
  for (const [row, name] of [...names].entries()) {
    const target = linked.get(row)
    const isFileBehindLink = target?.target === 'inside' && target.stat.kind === 'file'
    const kind = isFileBehindLink ? 'file' : kindOf(modes[row] ?? 0)
    if (!name.isWellFormed()) copying.progress.leftOut(name, 'unreadable')
    else await copyNode(copying, { from: joinPath(from, name), to: joinPath(to, name), kind, replace, isTop: false })
  }
}

function counted(bytes: ReadableStream<Uint8Array>, onBytes: (bytes: number) => void): ReadableStream<Uint8Array> {
  return bytes.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        onBytes(chunk.length)
        controller.enqueue(chunk)
      },
    }),
  )
}

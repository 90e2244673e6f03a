import { archiveBase } from '../../shared/archive-format.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import { respondStreamed } from '../http/bytes.ts'
import { contentDisposition } from '../http/file-headers.ts'
import type { Unpacker } from './unpacker.ts'
import { createPlan } from './names.ts'

export interface Wanted {
  readonly path: FilePath
  /** Of the entry, as in the listing. */
  readonly index: number
  readonly inside: string
  readonly clientKey: string
  readonly signal: AbortSignal
  /** Called when no more is read. */
  readonly release: () => void
}

/** A file out of an archive, for saving. If it turns out to be damaged, the connection is closed. */
export async function respondEntry(unpacker: Unpacker, drive: Drive, wanted: Wanted): Promise<Response> {
  const { path, inside, signal, release } = wanted
  const left = new AbortController()
  const parts = bytesOf(unpacker, drive, { ...wanted, signal: AbortSignal.any([signal, left.signal]) })
  const close = async (): Promise<void> => {
    left.abort()
    release()
    // A generator that is never continued would keep its program running.
    await parts.return(undefined).catch(() => undefined)
  }
  try {
    // The first bytes show whether there is such an entry, while an error response is still possible.
    const first = await parts.next()
    if (first.done === true) fail('not-found', { path })
    return respondStreamed(following(first.value, parts), {
      close,
      headers: {
        'accept-ranges': 'none',
        'cache-control': 'private',
        'content-disposition': contentDisposition(inside.slice(inside.lastIndexOf('/') + 1), { inline: false }),
        'content-type': 'application/octet-stream',
        'x-content-type-options': 'nosniff',
      },
    })
  } catch (error) {
    await close()
    throw error
  }
}

async function* bytesOf(
  unpacker: Unpacker,
  drive: Drive,
  { path, index, inside, clientKey, signal }: Omit<Wanted, 'release'>,
): AsyncGenerator<Uint8Array, void> {
  await using file = await drive.open(path)
  const plan = createPlan({ base: archiveBase(nameOf(path)) })
  for await (const entry of unpacker.entries(file, { what: 'read', only: index }, { clientKey, signal })) {
    const placed = plan(entry.head)
    if (entry.index < index) continue
    if (placed === null || 'left' in placed || placed.kind !== 'file' || placed.path !== inside) return
    // An empty file needs a body as well.
    yield new Uint8Array(0)
    yield* entry.bytes
  }
}

async function* following(first: Uint8Array, rest: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
  if (first.length > 0) yield first
  yield* rest
}

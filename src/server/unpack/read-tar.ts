import { Readable } from 'node:stream'
import { extract, type Header } from 'tar-stream'
import type { EntryHead, EntryKind } from './protocol.ts'
import { type RawEntries, refuse } from './raw-entry.ts'

/** Entries in the order of the stream. A tar that ends in the middle of an entry fails. */
export async function* readTar(bytes: AsyncIterable<Uint8Array>): RawEntries {
  const parser = extract()
  const input = Readable.from(bytes)
  input.once('error', (error) => parser.destroy(error))
  input.pipe(parser)
  try {
    for await (const entry of parser) {
      // POSIX lets a folder say how large it may become; the library would wait for those bytes for ever.
      if (entry.header.type === 'directory') entry.header.size = 0
      // And for as many as a number it could not read.
      if (!Number.isSafeInteger(entry.header.size)) refuse('damaged')
      let taken = false
      const content = async function* (): AsyncGenerator<Uint8Array, void> {
        taken = true
        yield* entry as AsyncIterable<Uint8Array>
      }
      yield { head: headOf(entry.header), bytes: content }
      if (!taken) entry.resume()
    }
  } finally {
    input.destroy()
    parser.destroy()
  }
}

function headOf({ name, type, size, mtime }: Header): EntryHead {
  const kind = kindOf(type, name)
  return { name, kind, size: kind === 'file' ? size : 0, modified: mtime.getTime() }
}

/** What has no type of its own is a file, or a folder by the slash at its end, as the oldest tars have it. */
function kindOf(type: Header['type'] | null | undefined, name: string): EntryKind {
  if (type === 'directory' || (type === 'file' && name.endsWith('/'))) return 'folder'
  if (type === 'file' || type === 'contiguous-file' || type === undefined || type === null) return 'file'
  return type === 'link' || type === 'symlink' ? 'link' : 'special'
}

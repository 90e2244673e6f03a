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
      // POSIX allows a folder to announce its future size; the library would wait for those bytes forever.
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

/** Without a type it is a file, or a folder if its name ends with a slash, as in the oldest tars. */
function kindOf(type: Header['type'] | null | undefined, name: string): EntryKind {
  if (type === 'directory' || (type === 'file' && name.endsWith('/'))) return 'folder'
  if (type === 'file' || type === 'contiguous-file' || type === undefined || type === null) return 'file'
  return type === 'link' || type === 'symlink' ? 'link' : 'special'
}

import type { RecursiveItem } from '../../shared/contract/resources.ts'
import { fail } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import { respondStreamed } from '../http/bytes.ts'
import { timestamp } from './timestamp.ts'

const CHUNK_CHARACTERS = 32 * 1024

/**
 * Everything below a folder as one JSON array, written while it is walked and no faster than it is read. The walk ends when the client disconnects.
 * @param enter takes a slot for that time and returns a function that releases it
 */
export async function respondTree(plain: Drive, path: FilePath, enter: () => () => void): Promise<Response> {
  // If something is denied meanwhile, the response breaks off: it must not look complete.
  const drive = plain.strict()
  const { stat } = await drive.stat(path)
  if (stat.kind !== 'folder') fail('invalid-input', { issues: ['path is not a directory'] })
  const leave = enter()
  const left = new AbortController()
  const close = async (): Promise<void> => {
    left.abort()
    leave()
  }
  return respondStreamed(treeText(drive, path, left.signal), { close, headers: { 'content-type': 'application/json; charset=utf-8' } })
}

async function* treeText(drive: Drive, path: FilePath, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  let text = '['
  let between = ''
  for await (const entry of drive.walk(path, { signal })) {
    const item: RecursiveItem = {
      path: entry.path,
      name: entry.name,
      size: entry.stat.size,
      modified: timestamp(entry.stat.modified),
      isDir: entry.stat.kind === 'folder',
    }
    text += between + JSON.stringify(item)
    between = ','
    if (text.length < CHUNK_CHARACTERS) continue
    yield encoder.encode(text)
    text = ''
  }
  yield encoder.encode(`${text}]`)
}

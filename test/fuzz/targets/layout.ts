import { EVERYTHING } from '../../../src/server/access/everything.ts'
import { FRAMES } from '../../../src/server/archives/frames.ts'
import { layoutBytes } from '../../../src/server/archives/layout-bytes.ts'
import { layOut } from '../../../src/server/archives/layout.ts'
import { SMALL_BYTES } from '../../../src/server/archives/runs.ts'
import { selectPaths } from '../../../src/server/archives/selection.ts'
import type { Span } from '../../../src/server/archives/spans.ts'
import { openDrive } from '../../../src/server/drive/drive.ts'
import { write } from '../../../src/server/storage/test-samples.ts'
import type { Storage } from '../../../src/server/storage/storage.ts'
import { createMemoryStorage } from '../../../src/server/storage/test-memory-storage.ts'
import { bytesOf as partBytes } from '../../../src/shared/file-part.ts'
import { isAppError } from '../../../src/shared/errors.ts'
import { type FilePath, parentOf, parseFilePath, ROOT } from '../../../src/shared/file-path.ts'
import { must, orRefused, split, type Target, textOf } from '../target.ts'

const MOST_FILES = 6
const MOST_PATH_CHARS = 400
/** Some are sent by themselves, and not together with others. */
const MOST_FILE_BYTES = SMALL_BYTES + 5000
const SIGNAL = new AbortController().signal

/**
 * Archives as they are sent: the format, two places in the whole, then lines of a path and a count of bytes. Any part of one is just what the whole
 * holds there, also where a part was read before.
 */
export const target: Target = {
  seeds: [
    '\u0000 0a/b 3\na/c.txt 200\nd 0',
    '\u0001@`é/x 5\n',
    '\u0000\u0000\u007fcon 1\nCON 2\na: 3\na_ 70000',
    `\u0001~a${'long/'.repeat(30)}x 69000`,
  ],
  words: [' 512', ' 513', '/.', '\u202e', ' 70000', ' 65537'],
  most: 160,
  stepsPerByte: 2000,
  async holds(bytes) {
    const { picks, rest } = split(bytes, 3)
    const [kind = 0, one = 0, other = 0] = picks
    const storage = createMemoryStorage()
    const contents: string[] = []
    for (const line of textOf(rest).split('\n').slice(0, MOST_FILES)) {
      const [, place = '', count = ''] = /^(.*) (\d{1,6})$/s.exec(line) ?? []
      const path = orRefused(() => parseFilePath(place))
      if (path === null || path === ROOT || path.length > MOST_PATH_CHARS) continue
      const text = String.fromCharCode(65 + contents.length).repeat(Math.min(Number(count), MOST_FILE_BYTES))
      // A file may stand where another one needs a folder.
      if (await written(storage, path, text)) contents.push(text)
    }
    const drive = openDrive(storage, EVERYTHING)
    const layout = await layOut(drive, await selectPaths(drive, [ROOT], { rootName: 'x' }), {
      frame: kind % 2 === 0 ? FRAMES.zip : FRAMES.tar,
      name: 'x',
    })
    const checksums = remembered()
    const read = async (start: number, end: number): Promise<Buffer> => {
      const chunks: Uint8Array[] = []
      for await (const chunk of partBytes(layoutBytes(layout, { drive, checksums, start, end, signal: SIGNAL }))) chunks.push(chunk)
      return Buffer.concat(chunks)
    }
    const [start = 0, end = 0] = [one, other].map((place) => Math.floor((place / 255) * layout.size)).toSorted((a, b) => a - b)
    const part = await read(start, end)
    const whole = await read(0, layout.size)
    must(whole.length === layout.size, 'an archive is longer than was said')
    must(part.equals(whole.subarray(start, end)), 'a part is another one than in the whole')
    must((await read(start, end)).equals(part), 'a part is another one the second time')
    const text = whole.toString('latin1')
    must(
      contents.every((content) => text.includes(content)),
      'a file is missing in its archive',
    )
  },
}

async function written(storage: Storage, path: FilePath, text: string): Promise<boolean> {
  try {
    for (const folder of foldersTo(path)) await storage.makeFolder(folder).catch(unlessTaken)
    await write(storage, path, text)
    return true
  } catch (error) {
    if (isAppError(error)) return false
    throw error
  }
}

function foldersTo(path: FilePath): FilePath[] {
  const folder = parentOf(path)
  return folder === ROOT ? [] : [...foldersTo(folder), folder]
}

function unlessTaken(error: unknown): void {
  if (!isAppError(error, 'already-exists')) throw error
}

function remembered(): Parameters<typeof layoutBytes>[1]['checksums'] {
  const known = new Map<string, Span[]>()
  return {
    recall: async ({ identity }) => known.get(identity) ?? [],
    learn: async ({ identity }, span) => void known.set(identity, [span]),
    save: async () => undefined,
    sweep: async () => undefined,
  }
}

import { runProgram, createOutput, limitOwnMemory } from '../programs/run-program.ts'
import { holdsWords, textOfMarkup } from './office-text.ts'
import { readZip } from './read-zip.ts'
import { openSource } from './source.ts'

const MAX_MEMORY_BYTES = 1024 ** 3
/** Maximum size of one part: more is a table that nobody wrote by hand. */
const MAX_PART_BYTES = 32 * 1024 ** 2
const MAX_BYTES = 128 * 1024 ** 2

/** The program that extracts the text of an office document or a book, in UTF-8, one paragraph per line. */
async function main(): Promise<void> {
  limitOwnMemory({ maxMemoryBytes: MAX_MEMORY_BYTES })
  const write = createOutput()
  let left = MAX_BYTES
  for await (const { head, bytes } of readZip(openSource(Bun.argv[2] ?? ''))) {
    if (head.kind !== 'file' || !holdsWords(head.name)) continue
    const part = await readPart(bytes(), Math.min(left, MAX_PART_BYTES))
    left -= part.length
    await write(Buffer.from(`${textOfMarkup(new TextDecoder().decode(part))}\n`))
    if (left <= 0) return
  }
}

async function readPart(bytes: AsyncIterable<Uint8Array>, atMost: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= atMost) break
  }
  return Buffer.concat(chunks).subarray(0, atMost)
}

runProgram(main)

import { expect, it } from 'bun:test'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDirectWriter, type Writer } from './direct-writer.ts'

const MIB = 1024 * 1024

async function writing(mayWrite: (() => void) | undefined, work: (writer: Writer, name: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-direct-'))
  const name = join(folder, 'staged')
  const fd = openSync(name, 'w')
  try {
    const writer = openDirectWriter(fd, { at: 0, mayWrite })
    // Where the file system cannot, there is nothing to test.
    if (writer !== null) await work(writer, name)
  } finally {
    closeSync(fd)
    rmSync(folder, { recursive: true })
  }
}

it('writes chunks of any length as they came, and tells the end of them', async () => {
  await writing(undefined, async (writer, name) => {
    const bytes = new Uint8Array(9 * MIB + 4321).map((_, n) => (n * 7 + (n >> 12)) % 251)
    for (let at = 0; at < bytes.length; at += 300_007) await writer.add(bytes.subarray(at, at + 300_007))
    await writer.finish()
    expect(writer.written()).toBe(bytes.length)
    expect(Buffer.compare(readFileSync(name), bytes)).toBe(0)
  })
})

it('counts as written only what lies before the first piece that failed, though later ones are on the disk', async () => {
  let asked = 0
  const failFirst = (): void => {
    asked += 1
    if (asked === 1) throw new Error('the first piece')
  }
  await writing(failFirst, async (writer, name) => {
    await writer.add(new Uint8Array(2 * MIB))
    const failure: unknown = await writer.finish().catch((error: unknown) => error)
    expect(failure).toEqual(new Error('the first piece'))
    expect(statSync(name).size).toBe(2 * MIB)
    expect(writer.written()).toBe(0)
  })
})

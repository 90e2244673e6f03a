import { expect, it } from 'bun:test'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Appending, appendTo } from './append.ts'
import { pooledIo } from './disk-io.ts'

it('R3: a finished append never syncs its descriptor, which may have been reused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-append-'))
  try {
    const fd = openSync(join(folder, 'staged'), 'w')
    const durable: number[] = []
    let appending: Appending | null = null
    const onStart = (begun: Appending): void => void (appending = begun)
    expect(await appendTo({ fd, io: pooledIo }, Buffer.from('hello'), { at: 0, onStart, onDurable: (size) => durable.push(size) })).toBe(5)
    closeSync(fd)
    // The descriptor is reused, so that a sync would succeed and report five bytes as durable. Lower ones may be free as well.
    const others = [openSync(join(folder, 'other'), 'w')]
    while (others.at(-1) !== fd && others.length < 1000) others.push(openSync(join(folder, 'other'), 'w'))
    expect(others.at(-1)).toBe(fd)
    expect(await (appending as Appending | null)?.confirm()).toBe(0)
    expect(durable).toEqual([])
    for (const other of others) closeSync(other)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('writes announced large bodies from their first byte on as they came, from any offset, also where fewer bytes come', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-append-'))
  try {
    const bytes = Buffer.from(Array.from({ length: 100_003 }, (_, n) => n % 251))
    const name = join(folder, 'staged')
    const file = { fd: openSync(name, 'w'), io: pooledIo }
    let size = 0
    for (const part of [bytes.subarray(0, 4096), bytes.subarray(4096, 4999), bytes.subarray(4999)]) {
      size = await appendTo(file, new Blob([part]).stream(), { at: size, isDirect: true, announced: 10 * 1024 ** 2 })
    }
    closeSync(file.fd)
    expect(size).toBe(bytes.length)
    expect(readFileSync(name).equals(bytes)).toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

import { expect, it } from 'bun:test'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
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
    const other = openSync(join(folder, 'other'), 'w')
    // The number is used again at once, so a sync would succeed and say that five bytes are durable.
    expect(other).toBe(fd)
    expect(await (appending as Appending | null)?.confirm()).toBe(0)
    expect(durable).toEqual([])
    closeSync(other)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

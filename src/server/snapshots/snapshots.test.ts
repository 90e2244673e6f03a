import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../shared/file-path.ts'
import { createLocalSnapshots } from '../storage/local-snapshots.ts'
import { snapshotPattern } from '../storage/snapshot-pattern.ts'
import { createSnapshots } from './snapshots.ts'

let home: string
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'satchel-snapshots-'))))
afterEach(() => rmSync(home, { recursive: true }))

const of = (pattern: string) => createLocalSnapshots(snapshotPattern(join(home, pattern), home))

function take(...names: string[]): void {
  for (const name of names) {
    mkdirSync(join(home, 'snaps', name), { recursive: true })
    writeFileSync(join(home, 'snaps', name, 'a.txt'), name)
  }
}

describe('a slow disk', () => {
  it('keeps nobody waiting: what was not looked at in time is said to be unknown', async () => {
    take(...Array.from({ length: 200 }, (_, n) => `s${n}`))
    const disk = of('snaps/*')
    const hanging = createSnapshots({ ...disk, list: () => new Promise(() => undefined) }, { lookMs: 20 })
    expect(await hanging.look(at('/a.txt'))).toEqual({ found: [], unknown: 1 })
    let looks = 0
    const look: typeof disk.look = (...args) => (looks++ === 0 ? disk.look(...args) : new Promise(() => undefined))
    const slow = createSnapshots({ ...disk, look }, { lookMs: 500 })
    const { found, unknown } = await slow.look(at('/a.txt'))
    expect([found.length, unknown]).toEqual([25, 175])
    await slow.stop()
    const patient = createSnapshots(of('snaps/*'))
    const looked = await patient.look(at('/a.txt'))
    expect([looked.found.length, looked.unknown]).toEqual([200, 0])
    await patient.stop()
  })

  it('that is not there has no snapshots', async () => {
    const snapshots = createSnapshots(of('nothing/*'))
    expect([await snapshots.list(), await snapshots.look(at('/a.txt'))]).toEqual([[], { found: [], unknown: 0 }])
    await snapshots.stop()
  })
})

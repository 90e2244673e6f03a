import { afterEach, describe, expect, it } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../shared/file-path.ts'
import { createMemoryBus } from '../bus/memory.ts'
import type { IndexPace } from './index-service.ts'
import { createLocalIndex, type LocalIndex } from './local-index.ts'
import { ALL } from './tree-index.suite.ts'
import { createActor, dice, differences, diskUse, everything, truth } from './programs.suite.ts'
import { RUNTIME_COMMAND } from '../entries/runtime.ts'

const NEVER = 3_600_000
const LIVELY: IndexPace = { wakeMs: 20, rescanMs: NEVER, saveMs: { reading: 20, later: NEVER }, maxWatchShare: 0.5 }
/** Listens only when it is asked. */
const DEAF: IndexPace = { ...LIVELY, wakeMs: NEVER }
/** Watches nothing: knows only what the product itself does, and what it comes upon. */
const BLIND: IndexPace = { ...LIVELY, maxWatchShare: 0 }

const storagePaths: string[] = []
const indexes: LocalIndex[] = []

afterEach(async () => {
  for (const index of indexes.splice(0)) await index.stop()
  for (const made of storagePaths.splice(0)) rmSync(made, { recursive: true, force: true })
})

describe('random operations, through the server and directly on the disk', () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    it(`leave an index that equals the disk after every few operations (seed ${seed})`, async () => {
      const { root, index, actor, roll } = start(seed, LIVELY)
      let answers = 0
      for (let round = 0; round < 20; round++) {
        await actor.act(roll(120))
        const known = await everything(index)
        if (known === null) await index.settled()
        else answers++
        expect(differences(known ?? (await everything(index)), await truth(root))).toEqual([])
      }
      expect(answers).toBeGreaterThan(0)
      expect((await index.sums(ROOT, ALL))?.bytes).toBe(await diskUse(root))
    }, 300_000)
  }

  it('leave an index that equals the disk after lost kernel events', async () => {
    const { root, index, actor } = start(11, DEAF)
    await actor.act(300)
    await index.settled()
    await actor.act(300)
    overflow(root)
    await actor.act(300)
    await index.settled()
    expect(differences(await everything(index), await truth(root))).toEqual([])
    expect((await index.sums(ROOT, ALL))?.bytes).toBe(await diskUse(root))
  }, 300_000)

  it('leave an index that equals the disk after a kill and restart', async () => {
    const root = place()
    const file = join(place(), 'tree')
    const actor = createActor(root, createMemoryBus(), dice(21))
    for (let kill = 0; kill < 4; kill++) {
      const child = Bun.spawn([...RUNTIME_COMMAND, join(import.meta.dir, 'programs.child.ts'), root, file], {
        stdout: 'pipe',
        stderr: 'inherit',
      })
      await child.stdout.getReader().read()
      await actor.act(300)
      child.kill('SIGKILL')
      await child.exited
      await actor.act(100)
      const index = createLocalIndex({ root, file, bus: createMemoryBus(), log: String, pace: LIVELY })
      await index.settled()
      expect(differences(await everything(index), await truth(root))).toEqual([])
      await index.stop()
    }
  }, 300_000)

  it('through the server are indexed at once if nothing is watched', async () => {
    const { root, index, actor } = start(31, BLIND)
    await actor.act(200)
    await index.stop()
    const bus = createMemoryBus()
    const again = createLocalIndex({ root, file: join(place(), 'tree'), bus, log: String, pace: BLIND })
    indexes.push(again)
    await again.settled()
    const insider = createActor(root, bus, dice(32), { outside: false })
    for (let round = 0; round < 10; round++) {
      await insider.act(20)
      await again.settled()
      expect(names(await everything(again))).toEqual(names(await truth(root)))
    }
  })
})

describe('a snapshot', () => {
  for (const [what, spoil] of Object.entries(spoiled())) {
    it(`that is ${what} is discarded, and the tree is scanned again`, async () => {
      const { root, index, actor, file } = start(41, LIVELY)
      await actor.act(100)
      await index.settled()
      await index.stop()
      writeFileSync(file, spoil(readFileSync(file)))
      const again = createLocalIndex({ root, file, bus: createMemoryBus(), log: String, pace: LIVELY })
      indexes.push(again)
      await again.settled()
      expect(differences(await everything(again), await truth(root))).toEqual([])
    })
  }

  it('of another folder is discarded', async () => {
    const { index, actor, file } = start(51, LIVELY)
    await actor.act(100)
    await index.settled()
    await index.stop()
    const other = place()
    writeFileSync(join(other, 'only'), '')
    const again = createLocalIndex({ root: other, file, bus: createMemoryBus(), log: String, pace: LIVELY })
    indexes.push(again)
    await again.settled()
    expect(names(await everything(again))).toEqual(['/only'])
  })
})

function spoiled(): Record<string, (bytes: Buffer) => Uint8Array> {
  return {
    empty: () => new Uint8Array(0),
    'cut short': (bytes) => bytes.subarray(0, bytes.length >> 1),
    'one bit wrong': (bytes) => {
      const at = bytes.length - 20
      bytes[at] = (bytes[at] ?? 0) ^ 4
      return bytes
    },
    'of another program': () => Buffer.from('{"hello":"world"}'.repeat(100)),
  }
}

function start(seed: number, pace: IndexPace) {
  const root = place()
  const file = join(place(), 'tree')
  const bus = createMemoryBus()
  const roll = dice(seed)
  const log = (text: string): never => {
    throw new Error(text)
  }
  const index = createLocalIndex({ root, file, bus, log, pace })
  indexes.push(index)
  return { root, file, index, roll, actor: createActor(root, bus, roll, { onLink: () => index.settled() }) }
}

function place(): string {
  const made = mkdtempSync(join(tmpdir(), 'index-'))
  storagePaths.push(made)
  return made
}

/** More than the kernel keeps for one listener. */
function overflow(root: string): void {
  const most = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'))
  writeFileSync(join(root, 'one'), '')
  writeFileSync(join(root, 'two'), '')
  for (let event = 0; event < most; event++) utimesSync(join(root, event % 2 === 0 ? 'one' : 'two'), 1, event)
}

function names(all: Map<string, string> | null): string[] {
  return [...(all?.keys() ?? [])].filter((name) => !name.startsWith('sum')).toSorted()
}

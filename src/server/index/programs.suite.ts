import { appendFileSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FilePath, joinPath, ROOT } from '../../shared/file-path.ts'
import type { Bus } from '../bus/bus.ts'
import { createLocalStorage } from '../storage/local.ts'
import { createMemoryIndex } from './test-memory-index.ts'
import { ALL, rows, write } from './tree-index.suite.ts'
import type { IndexedNode, TreeIndex } from './tree-index.ts'

/** Numbers that come again with the same seed (mulberry32). */
export function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides)
  }
}

const NAMES = ['a', 'b', 'C', 'Übung', 'report.pdf', 'IMG_1.JPG', 'x', '.y', 'z.txt', 'e\u0301']

/** Somebody who does one thing after the other to a tree, by the product or behind its back. What cannot be done is not done. */
export function createActor(
  root: string,
  bus: Bus,
  roll: (sides: number) => number,
  { outside: goesRound = true, onLink = async (): Promise<unknown> => null } = {},
) {
  const storage = createLocalStorage(root)
  const pick = <T>(all: readonly T[]): T => all[roll(all.length)] ?? (all[0] as T)
  const onDisk = (path: FilePath): string => join(root, path)

  /** Any folder there is. */
  function someFolder(): FilePath {
    let at: FilePath = ROOT
    while (roll(3) > 0) {
      const folders = readdirSync(onDisk(at), { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== '.satchel')
      if (folders.length === 0) break
      at = joinPath(at, pick(folders).name)
    }
    return at
  }

  function someEntry(): FilePath {
    const folder = someFolder()
    const names = readdirSync(onDisk(folder)).filter((name) => name !== '.satchel')
    return names.length === 0 ? folder : joinPath(folder, pick(names))
  }

  function somePlace(): FilePath {
    return joinPath(someFolder(), pick(NAMES))
  }

  async function outside(): Promise<void> {
    const place = onDisk(somePlace())
    const old = someEntry()
    switch (roll(11)) {
      case 0:
      case 1:
        return writeFileSync(place, 'x'.repeat(roll(2000)))
      case 2:
      case 3:
        return mkdirSync(place)
      case 4:
        mkdirSync(join(place, 'deep/er'), { recursive: true })
        return writeFileSync(join(place, 'deep/er/file'), 'deep')
      case 5:
      case 6:
        return old === ROOT ? undefined : renameSync(onDisk(old), place)
      case 7:
        return old === ROOT ? undefined : rmSync(onDisk(old), { recursive: true })
      case 8:
        return appendFileSync(onDisk(old), 'more')
      case 9:
        if (roll(2) === 0) return symlinkSync('somewhere', place)
        linkSync(onDisk(old), place)
        // A second name that came and went unseen tells nobody of what was written through it.
        await onLink()
        return
      default:
        return truncateSync(onDisk(old), roll(50))
    }
  }

  async function inside(): Promise<void> {
    const place = somePlace()
    const old = someEntry()
    switch (roll(5)) {
      case 0:
        await write(storage, place, 'y'.repeat(roll(500)))
        return bus.announce('files.changed', { storagePaths: [place] })
      case 1:
        await storage.makeFolder(place)
        return bus.announce('files.changed', { storagePaths: [place] })
      case 2:
      case 3:
        await storage.move(old, place, { replace: roll(2) === 0 })
        return bus.announce('files.changed', { storagePaths: [old, place] })
      default:
        await storage.remove(old)
        return bus.announce('files.changed', { storagePaths: [old] })
    }
  }

  return {
    async act(steps: number): Promise<void> {
      for (let step = 0; step < steps; step++) {
        try {
          await (!goesRound || roll(4) === 0 ? inside() : outside())
        } catch {
          // Taken, gone, not empty, no folder: as it may happen to anybody.
        }
      }
    },
  }
}

/** Everything there is, as the disk has it now, by path. */
export async function truth(root: string): Promise<Map<string, string>> {
  const oracle = createMemoryIndex(createLocalStorage(root))
  await oracle.read()
  return (await everything(oracle)) ?? new Map()
}

/** Everything an index knows: each entry with what lies in it; null where that is not known. */
export async function everything(index: TreeIndex): Promise<Map<string, string> | null> {
  const { signal } = new AbortController()
  const batches = await index.below(ROOT, { signal })
  if (batches === null) return null
  const all = await rows(Promise.resolve(batches))
  const lines = new Map<string, string>()
  const folders = [ROOT, ...all.filter(({ kind }) => kind === 'folder').map(({ path }) => path)]
  for (const known of all) lines.set(known.path, line(known))
  for (const folder of folders) {
    const sums = await index.sums(folder, ALL)
    if (sums === null) return null
    lines.set(`sum of ${folder}`, JSON.stringify([sums, await index.sums(folder, { dotfiles: false })]))
  }
  return lines
}

/** Of a folder, size and time say nothing that anybody shows. */
function line({ kind, size, modified }: IndexedNode): string {
  return kind === 'folder' ? kind : `${kind} ${size} ${modified}`
}

/** What `du -b` counts for each name, without the folders' own. */
export async function diskUse(root: string): Promise<number> {
  const all = Number((await Bun.$`du -sbl --exclude=.satchel ${root}`.text()).split('\t')[0])
  const folders = (await Bun.$`find ${root} -name .satchel -prune -o -type d -printf ${'%s\n'}`.text()).trim().split('\n')
  return all - folders.reduce((sum, size) => sum + Number(size), 0)
}

/** Lines of one that the other has not, and the other way round. */
export function differences(known: Map<string, string> | null, real: Map<string, string>): string[] {
  if (known === null) return ['nothing is known']
  const paths = [...new Set([...known.keys(), ...real.keys()])].toSorted()
  return paths.filter((path) => known.get(path) !== real.get(path)).map((path) => `${path}: ${known.get(path)} but ${real.get(path)}`)
}

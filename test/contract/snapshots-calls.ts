import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Job } from '../../src/shared/contract/jobs.ts'
import type { FolderSnapshot, PastEntry } from '../../src/shared/contract/snapshots.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { mountDisk } from './disk.ts'
import type { Product } from './world.ts'

/** A folder to serve, and how its snapshots are taken and removed. */
export interface Snapshotted extends Disposable {
  readonly root: string
  /** For the setting `snapshots`. */
  readonly pattern: string
  take(name: string): void
  drop(name: string): void
}

/** By name; each makes a new one in a folder of its own. Btrfs needs root and `btrfs-progs`. */
export const SNAPSHOTTED: Record<string, (home: string) => Snapshotted> = {
  'copies in folders': (home) => {
    const root = join(home, 'root')
    const snaps = join(home, 'snaps')
    mkdirSync(root)
    mkdirSync(snaps)
    return {
      root,
      pattern: join(snaps, '*'),
      take: (name) => run('cp', '-a', root, join(snaps, name)),
      drop: (name) => run('rm', '-r', join(snaps, name)),
      [Symbol.dispose]: () => undefined,
    }
  },
  'Btrfs, below the root': (home) => onBtrfs(home, (name) => `.snapshots/${name}`),
  'Btrfs, as snapper lays them out': (home) => onBtrfs(home, (name) => `.snapshots/${name}/snapshot`),
}

function onBtrfs(home: string, placeOf: (name: string) => string): Snapshotted {
  const disk = mountDisk('btrfs', { home, at: join(home, 'disk') })
  const root = join(disk.folder, 'root')
  run('btrfs', 'subvolume', 'create', root)
  return {
    root,
    pattern: placeOf('*'),
    take(name) {
      const place = join(root, placeOf(name))
      mkdirSync(dirname(place), { recursive: true })
      run('btrfs', 'subvolume', 'snapshot', '-r', root, place)
    },
    drop: (name) => run('btrfs', 'subvolume', 'delete', join(root, placeOf(name))),
    [Symbol.dispose]: () => disk[Symbol.dispose](),
  }
}

function run(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
}

/** The newest first. */
export async function snapshotsOf(product: Product, who: string, path: string): Promise<FolderSnapshot[]> {
  return (await product.as(who).snapshots.list({ params: { path: at(path) } })).snapshots
}

export async function idOf(product: Product, who: string, name: string): Promise<string> {
  return (await snapshotsOf(product, who, '/')).find((one) => one.name === name)?.id ?? 'none'
}

export async function entriesOf(product: Product, who: string, path: string, id: string): Promise<PastEntry[]> {
  return (await product.as(who).snapshots.entries({ params: { path: at(path) }, query: { id } })).entries
}

export async function textOf(product: Product, who: string, path: string, id: string): Promise<string> {
  return (await product.as(who).snapshots.raw({ params: { path: at(path) }, query: { id, raw: '1' } })).text()
}

interface Item {
  from: string
  to: string
  replace?: boolean
  rename?: boolean
}

/** Waits for the end of the job. */
export async function restore(product: Product, who: string, id: string, ...items: Item[]): Promise<Job> {
  const client = product.as(who)
  let { job } = await client.snapshots.restore({ body: { id, items } })
  while (job.endedAt === null) {
    await Bun.sleep(5)
    job = (await client.jobs.list({})).find((one) => one.id === job.id) ?? job
  }
  return job
}

import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface Disk extends Disposable {
  /** Where it is mounted. */
  readonly folder: string
  /** Takes it out and mounts it again. */
  remount(): void
}

/** Where each kind comes from, and how it is made and mounted. */
const KINDS = {
  /** By a program in user space: it finds names in any case, and knows no times of birth. */
  exfat: { packages: ['exfatprogs', 'exfat-fuse'], make: ['mkfs.exfat'], mount: ['mount.exfat-fuse'] },
  /** Nodes of 128 bytes have no room for a time of birth, and the number of a removed node is given to the next. */
  ext4: { packages: ['e2fsprogs'], make: ['mkfs.ext4', '-q', '-F', '-b', '4096', '-I', '128'], mount: ['mount'] },
  /** It has subvolumes and snapshots, which are volumes but no mounts. */
  btrfs: { packages: ['btrfs-progs'], make: ['mkfs.btrfs', '-q'], mount: ['mount'] },
} as const

/** Each takes space only as it is written to. */
const BYTES = { exfat: '32m', ext4: '32m', btrfs: '256m' }

/** A disk of its own, in a file of `home`. Needs root; throws what could not be done. @param at the folder that it is mounted at, made here */
export function mountDisk(kind: keyof typeof KINDS, { home, at: folder }: { home: string; at: string }): Disk {
  const { packages, make, mount } = KINDS[kind]
  const image = join(home, `${kind}.image`)
  const hint = `a disk of the kind ${kind} needs root and the packages ${packages.join(' and ')}`
  mkdirSync(folder, { recursive: true })
  run(['truncate', '-s', BYTES[kind], image], hint)
  run([...make, image], hint)
  const device = run(['losetup', '--find', '--show', image], hint).trim()
  const attach = (): unknown => run([...mount, device, folder], hint)
  const detach = (): void => {
    spawnSync('umount', ['-l', folder])
    // The kernel waits until nobody uses it.
    spawnSync('losetup', ['--detach', device])
  }
  try {
    attach()
  } catch (error) {
    detach()
    throw error
  }
  return {
    folder,
    remount() {
      run(['umount', folder], hint)
      attach()
    },
    [Symbol.dispose]: detach,
  }
}

const TIMEOUT_MS = 60_000

/** Makes a newcomer at a place that has the number of what was there. The number is free when nobody has that open any more. */
export async function makeWithNumber(place: string, number: number, make: (at: string) => void): Promise<void> {
  for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; await Bun.sleep(10)) {
    make(place)
    if (statSync(place).ino === number) return
    rmSync(place, { recursive: true })
    // The runtime closes some files when it collects its garbage.
    Bun.gc(true)
  }
  throw new Error(`${place}: no newcomer got the number ${number} in ${TIMEOUT_MS} ms`)
}

function run([command = '', ...args]: readonly string[], hint: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${hint}: ${command}: ${error?.message ?? stderr}`)
  return stdout
}

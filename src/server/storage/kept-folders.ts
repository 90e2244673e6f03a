import { accessSync, constants, mkdirSync, rmdirSync } from 'node:fs'
import { codeOf, fail, orElse } from '../../shared/errors.ts'
import { type Address, openParent } from './address.ts'
import { type DiskIo, syncFolder } from './disk-io.ts'
import { readNames } from './folder-names.ts'
import { statAt } from './nodes.ts'
import { openFolder } from './open-folder.ts'
import { PRIVATE_NAME } from './private-name.ts'
import type { KeptArea } from './storage.ts'
import { findPrivate, openPrivate, segmentsToVolume } from './volumes.ts'
import { entryPath, type Folder, descriptorPath } from './proc-paths.ts'

/** The place of a kept node on a volume: a folder with the id as its name, which holds only the node, under its own name. */
export interface KeptPlace {
  readonly area: KeptArea
  readonly id: string
}

/** Retry time for a volume that is not mounted. */
const AWAY_SECONDS = 10

/** The uppermost folder of a volume. Fails with `storage-busy` if it is not mounted: its mount point then belongs to another volume. */
export function openVolume(volume: Address): Folder {
  if (segmentsToVolume({ fd: volume.fd }, volume.below) !== volume.below.length) fail('storage-busy', { retryAfterSeconds: AWAY_SECONDS })
  return openParent(volume)
}

/** Opens an area, creating it and its parents durably if missing. */
export async function openArea(top: Folder, area: KeptArea, io: DiskIo): Promise<Folder> {
  const there = findPrivate(top, area)
  if (there !== null) return there
  const made = openPrivate(top, area)
  using ours = openFolder(top, [PRIVATE_NAME])
  await syncFolder(ours, io)
  await syncFolder(top, io)
  return made
}

/** The name of a kept node while it is being removed. Unambiguous, because no id has a dot. */
export function droppedName(id: string): string {
  return `${id}${DROPPED}`
}

const DROPPED = '.dropped'

/** The id of an entry of an area. */
export function idIn(name: string): string {
  return name.endsWith(DROPPED) ? name.slice(0, -DROPPED.length) : name
}

/** Makes the folder for one node. Fails with EEXIST if the id is used. */
export function makeSlot(area: Folder, id: string): Folder {
  if (statAt(area, droppedName(id)) !== null) throw Object.assign(new Error('this id is used'), { code: 'EEXIST' })
  mkdirSync(entryPath(area, id), 0o700)
  return openFolder(area, [id])
}

export function findSlot(area: Folder | null, id: string): Folder | null {
  return area === null || statAt(area, id)?.kind !== 'folder' ? null : openFolder(area, [id])
}

/** Removes a slot if it is empty; otherwise it holds a kept node. */
export function removeSlot(area: Folder, id: string): void {
  try {
    rmdirSync(entryPath(area, id))
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error
  }
}

/** The name of the node in a slot. If another program put more nodes there, the first one. */
export function nameIn(slot: Folder): string | null {
  return readNames(slot.fd).sort()[0] ?? null
}

/** Whether this process can make the private folders on a volume, as far as can be found without making them. */
export function canKeepNodes(top: Folder, area: KeptArea): boolean {
  return orElse(false, () => takes(top, [PRIVATE_NAME, area]))
}

function takes(folder: Folder, [name, ...rest]: readonly string[]): boolean {
  const stat = name === undefined ? null : statAt(folder, name)
  if (name === undefined || stat === null) return mayWrite(folder)
  if (stat.kind !== 'folder') return false
  using next = openFolder(folder, [name])
  return takes(next, rest)
}

export function mayWrite({ fd }: Folder): boolean {
  return orElse(false, () => {
    accessSync(descriptorPath(fd), constants.W_OK)
    return true
  })
}

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
import { entry, type Folder, self } from './walk.ts'

/** Where a node is kept on a volume: alone in a folder named by the id, under its own name. */
export interface KeptPlace {
  readonly area: KeptArea
  readonly id: string
}

/** When a disk that is not mounted may be back. */
const AWAY_SECONDS = 10

/** The uppermost folder of a volume. Fails with `storage-busy` where the volume is not there now: below its folder is another one's content. */
export function openVolume(volume: Address): Folder {
  if (segmentsToVolume({ fd: volume.fd }, volume.below) !== volume.below.length) fail('storage-busy', { retryAfterSeconds: AWAY_SECONDS })
  return openParent(volume)
}

/** Durable with the folders on the way to it. */
export async function openArea(top: Folder, area: KeptArea, io: DiskIo): Promise<Folder> {
  const there = findPrivate(top, area)
  if (there !== null) return there
  const made = openPrivate(top, area)
  using ours = openFolder(top, [PRIVATE_NAME])
  await syncFolder(ours, io)
  await syncFolder(top, io)
  return made
}

/** The name under which the rest of a kept node is removed: no id has a dot. */
export function droppedName(id: string): string {
  return `${id}${DROPPED}`
}

const DROPPED = '.dropped'

/** The id that an entry of an area stands for. */
export function idIn(name: string): string {
  return name.endsWith(DROPPED) ? name.slice(0, -DROPPED.length) : name
}

/** A folder for one node. Fails with EEXIST if the id is used. */
export function makeSlot(area: Folder, id: string): Folder {
  if (statAt(area, droppedName(id)) !== null) throw Object.assign(new Error('this id is used'), { code: 'EEXIST' })
  mkdirSync(entry(area, id), 0o700)
  return openFolder(area, [id])
}

export function findSlot(area: Folder | null, id: string): Folder | null {
  return area === null || statAt(area, id)?.kind !== 'folder' ? null : openFolder(area, [id])
}

/** If it is empty; else there is something in it to be kept. */
export function removeSlot(area: Folder, id: string): void {
  try {
    rmdirSync(entry(area, id))
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error
  }
}

/** Of the node in a slot; the first of several, which nobody but a stranger puts there. */
export function nameIn(slot: Folder): string | null {
  return readNames(slot.fd).sort()[0] ?? null
}

/** Whether a volume takes our folders, as far as can be told without making them. */
export function takesKept(top: Folder, area: KeptArea): boolean {
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
    accessSync(self(fd), constants.W_OK)
    return true
  })
}

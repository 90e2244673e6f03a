import { lstatSync } from 'node:fs'
import type { DiskIo } from './disk-io.ts'
import { openRegular } from './open-file.ts'
import { giveTo, setMode, setModified } from './ownership.ts'
import type { FolderEntry } from './placing.ts'
import { entry, folder } from './walk.ts'

/** A file gets the owner and mode of the one that it is about to replace, and the time of now. Durable when this returns. */
export async function becomeSave(from: FolderEntry, to: FolderEntry, io: DiskIo): Promise<void> {
  const old = lstatSync(entry(to.folder, to.name), { throwIfNoEntry: false })
  if (!old?.isFile()) return
  using file = folder(openRegular(from.folder, from.name).fd)
  giveTo(file.fd, old)
  setMode(file.fd, old.mode)
  setModified(file.fd, Date.now())
  await io.sync(file.fd)
}

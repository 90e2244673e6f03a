import { lstatSync } from 'node:fs'
import type { DiskIo } from './disk-io.ts'
import { openRegular } from './open-file.ts'
import { giveTo, setMode, setModified } from './ownership.ts'
import type { FolderEntry } from './placing.ts'
import { entryPath, folderHandle } from './proc-paths.ts'

/** Gives a file the owner and mode of the one that it will replace, and the current time. Durable when this returns. */
export async function becomeSave(from: FolderEntry, to: FolderEntry, io: DiskIo): Promise<void> {
  const old = lstatSync(entryPath(to.folder, to.name), { throwIfNoEntry: false })
  if (!old?.isFile()) return
  using file = folderHandle(openRegular(from.folder, from.name).fd)
  giveTo(file.fd, old)
  setMode(file.fd, old.mode)
  setModified(file.fd, Date.now())
  await io.sync(file.fd)
}

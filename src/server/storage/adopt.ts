import { constants, fstatSync, openSync, readdirSync, renameSync, unlinkSync } from 'node:fs'
import { type DiskIo, copyContent } from './disk-io.ts'
import { incomingName } from './private-name.ts'
import type { Adopted } from './storage.ts'
import { entryPath, type Folder, folderHandle, descriptorPath } from './proc-paths.ts'
import { codeOf } from '../../shared/errors.ts'

/** Suffixes: of bytes that their writer can no longer publish and that are not copied yet, and of an unfinished copy. */
const CLAIMED = '-claimed'
const COPY = '-copy'

/**
 * Takes over the bytes of another writer, which may be dead or only paused: a paused one may continue at any time with the file open. So the file
 * is first renamed, after which its writer cannot publish it; the rename fails if it was published already. Then the durable bytes are copied to a
 * new node that no other process has open.
 *
 * @param folders the staging folders of all file systems; `home` is the one where the bytes belong
 */
export async function adoptStaged(
  folders: readonly Folder[],
  home: Folder,
  { id, owner, size, io }: { id: string; owner: string; size: number; io: DiskIo },
): Promise<Adopted> {
  // A newer writer has taken over the bytes meanwhile.
  const olderIn = (one: Folder): string[] => namesOf(one, owner).filter((name) => name !== id && ageOf(name, owner) <= ageOf(id, owner))
  const claimed = claim(
    folders.flatMap((one) => olderIn(one).map((name) => ({ at: one, name }))),
    { id, owner },
  )
  if (claimed === null) return 'nothing'
  if (claimed.links > 1) {
    // Published by a link (`placing.ts`): the published name is its second one.
    drop(claimed.at, claimed.name)
    return 'published'
  }
  using source = folderHandle(openSync(entryPath(claimed.at, claimed.name), constants.O_RDONLY | constants.O_NOFOLLOW))
  {
    using copy = folderHandle(
      openSync(entryPath(home, id + COPY), constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW, 0o600),
    )
    await copyContent({ fd: source.fd, io }, { fd: copy.fd, io })
    await io.truncate(copy.fd, Math.min(size, fstatSync(copy.fd).size))
    await io.sync(copy.fd)
  }
  renameSync(entryPath(home, id + COPY), entryPath(home, id))
  for (const one of folders) for (const name of olderIn(one)) drop(one, name)
  return 'adopted'
}

/** Renames the newest one: a crash during this may have left older ones. */
function claim(names: readonly { readonly at: Folder; readonly name: string }[], { id, owner }: { id: string; owner: string }) {
  const candidates = names.filter(({ name }) => !name.endsWith(COPY)).sort((a, b) => ageOf(b.name, owner) - ageOf(a.name, owner))
  for (const { at, name } of candidates) {
    const to = id + CLAIMED
    try {
      if (to !== name) renameSync(entryPath(at, name), entryPath(at, to))
      drop(at, incomingName(name))
      using file = folderHandle(openSync(entryPath(at, to), constants.O_RDONLY | constants.O_NOFOLLOW))
      return { at, name: to, links: fstatSync(file.fd).nlink }
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
  return null
}

function namesOf({ fd }: Folder, owner: string): string[] {
  return readdirSync(descriptorPath(fd)).filter((name) => name === owner || name.startsWith(`${owner}-`))
}

/** The number of the writer at the end of a name; the first writer has none. */
function ageOf(name: string, owner: string): number {
  return Number.parseInt(name.slice(owner.length + 1), 10) || 0
}

function drop(at: Folder, name: string): void {
  try {
    unlinkSync(entryPath(at, name))
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

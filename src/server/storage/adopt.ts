import { constants, fstatSync, openSync, readdirSync, renameSync, unlinkSync } from 'node:fs'
import { type DiskIo, copyContent } from './disk-io.ts'
import { incomingName } from './private-name.ts'
import type { Adopted } from './storage.ts'
import { entry, type Folder, folder, self } from './walk.ts'
import { codeOf } from '../../shared/errors.ts'

/** Suffix of a name: its writer can no longer publish it, and it is not copied yet; and of the copy while it is made. */
const CLAIMED = '-claimed'
const COPY = '-copy'

/**
 * Gives the bytes of a writer who may only be paused to another one. Looking whether the writer is gone proves nothing: it may wake up with the
 * file open the moment after. So its file first loses its name in one step, which makes publishing it fail, or fails because it was published;
 * then the bytes that are sure are copied to a node that was never open anywhere else.
 *
 * @param folders the staging folders of all file systems; `home` is the one where the bytes belong
 */
export async function adoptStaged(
  folders: readonly Folder[],
  home: Folder,
  { id, owner, size, io }: { id: string; owner: string; size: number; io: DiskIo },
): Promise<Adopted> {
  // A newer holder has taken over from us in the meantime.
  const olderIn = (one: Folder): string[] => namesOf(one, owner).filter((name) => name !== id && ageOf(name, owner) <= ageOf(id, owner))
  const claimed = claim(
    folders.flatMap((one) => olderIn(one).map((name) => ({ at: one, name }))),
    { id, owner },
  )
  if (claimed === null) return 'nothing'
  if (claimed.links > 1) {
    // By a link (`placing.ts`): its place is its second name.
    drop(claimed.at, claimed.name)
    return 'published'
  }
  using source = folder(openSync(entry(claimed.at, claimed.name), constants.O_RDONLY | constants.O_NOFOLLOW))
  {
    using copy = folder(
      openSync(entry(home, id + COPY), constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW, 0o600),
    )
    await copyContent({ fd: source.fd, io }, { fd: copy.fd, io })
    await io.truncate(copy.fd, Math.min(size, fstatSync(copy.fd).size))
    await io.sync(copy.fd)
  }
  renameSync(entry(home, id + COPY), entry(home, id))
  for (const one of folders) for (const name of olderIn(one)) drop(one, name)
  return 'adopted'
}

/** The newest of the names: older ones are what a crash left in the middle of this. */
function claim(names: readonly { readonly at: Folder; readonly name: string }[], { id, owner }: { id: string; owner: string }) {
  const candidates = names.filter(({ name }) => !name.endsWith(COPY)).sort((a, b) => ageOf(b.name, owner) - ageOf(a.name, owner))
  for (const { at, name } of candidates) {
    const to = id + CLAIMED
    try {
      if (to !== name) renameSync(entry(at, name), entry(at, to))
      drop(at, incomingName(name))
      using file = folder(openSync(entry(at, to), constants.O_RDONLY | constants.O_NOFOLLOW))
      return { at, name: to, links: fstatSync(file.fd).nlink }
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
  return null
}

function namesOf({ fd }: Folder, owner: string): string[] {
  return readdirSync(self(fd)).filter((name) => name === owner || name.startsWith(`${owner}-`))
}

/** The number of the writer that a name carries; the first has none. */
function ageOf(name: string, owner: string): number {
  return Number.parseInt(name.slice(owner.length + 1), 10) || 0
}

function drop(at: Folder, name: string): void {
  try {
    unlinkSync(entry(at, name))
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

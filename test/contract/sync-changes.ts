import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Of how many files each kind of change is made; ten kinds, so that 20 make 200. */
export interface ChangesOptions {
  readonly each: number
  /** The folder on the server's disk, and the same on two computers. */
  readonly sides: { readonly server: string; readonly one: string; readonly two: string }
  /** Paths of files that all sides have, with their contents; as many as are needed are used, from different folders or not. */
  readonly files: ReadonlyMap<string, string>
  /** Folders that all sides have, and none of which holds one of the files. */
  readonly folders: readonly string[]
}

/**
 * Renames on all sides, half of them with a conflict: the same file renamed to two names, changed on both sides, removed here and changed there, renamed
 * here and changed there.
 * @returns what has to exist afterwards, given what has to exist before, and what may be there twice
 */
export async function changeEverywhere(
  { each, sides, files, folders }: ChangesOptions,
  before: ReadonlySet<string>,
): Promise<{ contents: Set<string>; mayBeTwice: Set<string>; renames: number }> {
  const contents = new Set(before)
  const mayBeTwice = new Set<string>()
  const left = [...files]
  const leftFolders = [...folders]
  let renames = 0

  const next = (): [string, string] => left.shift() ?? ended('files')
  async function renamed(side: string, path: string, mark: string): Promise<void> {
    await rename(join(side, path), join(side, path.replace(/[^/]*$/, `${mark} $&`)))
    renames++
  }
  async function changed(side: string, path: string, content: string): Promise<void> {
    await writeFile(join(side, path), content)
    contents.add(content)
  }

  for (let n = 0; n < each; n++) {
    for (const side of [sides.server, sides.one, sides.two]) await renamed(side, next()[0], 'renamed')
    for (const side of [sides.server, sides.one]) {
      await renamed(side, leftFolders.shift() ?? ended('folders'), 'folder renamed')
    }
    const [twice, whole] = next()
    await renamed(sides.server, twice, 'by the server')
    await renamed(sides.one, twice, 'by a computer')
    mayBeTwice.add(whole)

    const [both, old] = next()
    await changed(sides.server, both, `${old}, changed on the server, which is longer`)
    await changed(sides.one, both, `${old}, changed on a computer`)
    contents.delete(old)

    const [gone, former] = next()
    await rm(join(sides.server, gone))
    await changed(sides.one, gone, `${former}, changed while it was removed on the server`)
    contents.delete(former)

    const [gone2, former2] = next()
    await rm(join(sides.two, gone2))
    await changed(sides.server, gone2, `${former2}, changed while it was removed on a computer`)
    contents.delete(former2)

    const [moved, inside] = next()
    await renamed(sides.one, moved, 'renamed while changed')
    await changed(sides.server, moved, `${inside}, changed while it was renamed`)
    // Whether the former content stays by its new name is the client's choice.
    contents.delete(inside)
    mayBeTwice.add(inside)
  }
  return { contents, mayBeTwice, renames }
}

function ended(what: string): never {
  throw new Error(`there are not enough ${what}`)
}

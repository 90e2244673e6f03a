import type { FolderSnapshot, PastEntry } from '../../shared/contract/snapshots.ts'
import { fail, nullOn } from '../../shared/errors.ts'
import { type FilePath, isUtf8Path, placeUnder, ROOT } from '../../shared/file-path.ts'
import { compareNames } from '../../shared/natural-order.ts'
import type { Drive } from '../drive/drive.ts'
import { kindOf, type Children } from '../drive/entry.ts'
import { contentOf } from './history.ts'
import type { Snapshots } from './snapshots.ts'

/** A list that a page can show. */
const MOST_ENTRIES = 5000

/** Snapshots that have a folder at this path, the newest first. The folder may be missing now. What is hidden now has none. */
export async function snapshotsOf(
  snapshots: Snapshots,
  drive: Drive,
  path: FilePath,
): Promise<{ snapshots: FolderSnapshot[]; unknown: number }> {
  if (!isUtf8Path(path)) fail('invalid-input', { issues: ['path: not UTF-8'] })
  await drive.renew()
  // Like a folder that never was.
  if (!drive.canSee(path)) return { snapshots: [], unknown: 0 }
  const place = (await nullOn('not-found', drive.place(path, 'follow'))) ?? (await missingPlace(drive, path))
  const { found, unknown } = await snapshots.look(place)
  const folders = found.filter(({ kind }) => kind === 'folder')
  return { snapshots: folders.map(({ snapshot: { id, name, at } }) => ({ id, name, at: new Date(at).toISOString() })), unknown }
}

/** Where it would be. No link is followed in snapshots, so that the rules for this path are those of the node. */
async function missingPlace(drive: Drive, path: FilePath): Promise<FilePath> {
  return placeUnder(await drive.place(ROOT, 'follow'), path)
}

/** The entries of a folder in a snapshot, compared with those of now. */
export async function entriesOf(past: Drive, now: Drive, path: FilePath): Promise<{ entries: PastEntry[]; left: number }> {
  const then = rowsOf(await past.list(path))
  const current = new Map((await nullOn('not-found', now.list(path).then(rowsOf)))?.map((row) => [row.name, row]))
  const entries = then.map((row): PastEntry => {
    const { name, kind, size, modified } = row
    const isDir = kind === 'folder'
    return {
      name,
      isDir,
      size: isDir ? 0 : size,
      modified: new Date(modified).toISOString(),
      now: stateOf(row, current.get(name)),
    }
  })
  const least = entries.toSorted((a, b) => Number(a.now === 'same') - Number(b.now === 'same'))
  const shown = least.slice(0, MOST_ENTRIES).toSorted((a, b) => compareNames(a.name, b.name))
  return { entries: shown, left: entries.length - shown.length }
}

type Row = ReturnType<typeof rowsOf>[number]

function stateOf(then: Row, now: Row | undefined): PastEntry['now'] {
  if (now === undefined) return 'missing'
  if (then.kind !== now.kind) return 'different'
  return then.kind === 'folder' || contentOf(then) === contentOf(now) ? 'same' : 'different'
}

/** Files and folders, also behind links; what can be neither read nor restored is left out, and so are names that are not UTF-8. */
function rowsOf({ names, sizes, modified, modes, linked }: Children) {
  return Array.from(names, (name, row) => {
    const target = linked.get(row)
    const kind = target?.target === 'inside' ? target.stat.kind : kindOf(modes[row] ?? 0)
    const own = { size: sizes[row] ?? 0, modified: modified[row] ?? 0 }
    return { name, kind, ...(target?.target === 'inside' ? { size: target.stat.size, modified: target.stat.modified } : own) }
  }).filter(({ name, kind }) => (kind === 'file' || kind === 'folder') && name.isWellFormed())
}

import type { FileVersion } from '../../shared/contract/versions.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, pathFrom, ROOT } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import type { FileHistory } from '../drive/use-versions.ts'
import { withStaged } from '../drive/with-staged.ts'
import type { OpenFile, Stat } from '../storage/storage.ts'
import type { Snapshots } from './snapshots.ts'

/** More would make a list that nobody reads. */
const MOST_VERSIONS = 300
/** Begins the id of a version that is in a snapshot; no other has a colon. */
const PREFIX = 'snapshot:'

/** The id of the snapshot that has a version; null if it is in none. */
export function snapshotOf(version: string): string | null {
  return version.startsWith(PREFIX) ? version.slice(PREFIX.length) : null
}

/** What snapshots have at the path of a file: contents that differ from the next newer one by size or time, and that no version has. */
export async function pastContents(
  snapshots: Snapshots,
  drive: Drive,
  { path, current, versions }: Pick<FileHistory, 'current' | 'versions'> & { path: FilePath },
): Promise<{ versions: FileVersion[]; unknown: number }> {
  if (!snapshots.isOn) return { versions: [], unknown: 0 }
  const { found, unknown } = await snapshots.look(await drive.place(path, 'follow'))
  const kept = new Set(versions.map(contentOf))
  const past: FileVersion[] = []
  let newer = contentOf(current)
  for (const { kind, size, modified, snapshot } of found) {
    const content = contentOf({ size, modified })
    if (kind !== 'file' || content === newer) continue
    newer = content
    if (kept.has(content)) continue
    past.push({ id: PREFIX + snapshot.id, at: iso(snapshot.at), by: '', size, modified: iso(modified), snapshot: snapshot.name })
    if (past.length === MOST_VERSIONS) break
  }
  return { versions: past, unknown }
}

/** The content of a visible file in a snapshot. Needs `download`. Anything but a regular file is `not-found`. */
export async function openPast(snapshots: Snapshots, drive: Drive, path: FilePath, id: string): Promise<OpenFile> {
  if (!drive.may('download', path)) fail('download-refused', {})
  if ((await drive.stat(path)).stat.kind !== 'file') fail('not-found', { path })
  using past = await snapshots.open(id, drive.access)
  return await past.drive.open(await pathNow(drive, path))
}

/** Saves what a snapshot has; the present content becomes a version. Needs `download` and `modify`. */
export async function restorePast(snapshots: Snapshots, drive: Drive, path: FilePath, id: string): Promise<Stat> {
  for (const right of ['modify', 'download'] as const) if (!drive.may(right, path)) fail('forbidden', { right })
  await using file = await openPast(snapshots, drive, path, id)
  return await withStaged(drive, path, async (staged) => {
    await staged.append(file.stream(0, file.stat.size), { announced: file.stat.size })
    return drive.save(path, staged, { asVersion: true })
  })
}

/** A viewer's path without links, as it is found in snapshots. */
async function pathNow(drive: Drive, path: FilePath): Promise<FilePath> {
  const [top, place] = [await drive.place(ROOT, 'follow'), await drive.place(path, 'follow')]
  return pathFrom(top, place) ?? fail('not-found', { path })
}

/** What is compared: reading the content would take too long. */
export function contentOf({ size, modified }: { readonly size: number; readonly modified: number }): string {
  return `${size} ${Math.round(modified)}`
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

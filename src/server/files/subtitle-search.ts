import { type FilePath, joinPath, nameOf, parentOf } from '../../shared/file-path.ts'
import { extensionOf } from '../../shared/file-type.ts'
import { compareNames } from '../../shared/natural-order.ts'
import type { Drive } from '../drive/drive.ts'
import { isFolderMode } from './go-mode.ts'

const FORMATS = new Set(['.vtt', '.srt', '.ass', '.ssa'])

export function isSubtitle(name: string): boolean {
  return FORMATS.has(extensionOf(name).toLowerCase())
}

/**
 * The subtitles of a film: siblings that start with its base name, everything in folders called subs or subtitles, and one level deeper in folders
 * that start with its base name.
 */
export async function findSubtitles(drive: Drive, film: FilePath, options: { signal?: AbortSignal } = {}): Promise<FilePath[]> {
  const base = nameOf(film).slice(0, -extensionOf(nameOf(film)).length || undefined)
  const beside = await look(drive, parentOf(film), options)
  const own = beside.files.filter((path) => nameOf(path).startsWith(base))
  const below = beside.folders.filter((path) => /^sub(s|titles)?$/i.test(nameOf(path)))
  const inFolders = await Promise.all(below.map((folder) => inSubsFolder(drive, folder, { base, ...options })))
  return [...own, ...inFolders.flat()]
}

async function inSubsFolder(
  drive: Drive,
  folder: FilePath,
  { base, ...options }: { base: string; signal?: AbortSignal },
): Promise<FilePath[]> {
  const { files, folders } = await look(drive, folder, options)
  const deeper = folders.filter((path) => nameOf(path).startsWith(base))
  const found = await Promise.all(deeper.map((path) => look(drive, path, options)))
  return [...files, ...found.flatMap((one) => one.files)]
}

/** A folder that cannot be read has no subtitles. */
async function look(
  drive: Drive,
  folder: FilePath,
  options: { signal?: AbortSignal },
): Promise<{ files: FilePath[]; folders: FilePath[] }> {
  const children = await drive.list(folder, options).catch(() => null)
  const files: FilePath[] = []
  const folders: FilePath[] = []
  for (const [index, name] of [...(children?.names ?? [])].entries()) {
    if (isFolderMode(children?.modes[index] ?? 0)) folders.push(joinPath(folder, name))
    else if (isSubtitle(name)) files.push(joinPath(folder, name))
  }
  return { files: files.sort((a, b) => compareNames(nameOf(a), nameOf(b))), folders }
}

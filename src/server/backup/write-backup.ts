import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack, type Pack } from 'tar-stream'
import { type CopyOptions, copyToFile } from './copy-database.ts'
import { BRANDING, DATABASE, MANIFEST, type Manifest, type Part } from './manifest.ts'

export interface BackupOptions {
  readonly database: CopyOptions
  /** Null if there is no branding folder. */
  readonly branding: string | null
  readonly version: string
  readonly now: Date
}

/** Beginning of the name of a folder that a backup needs while it is written. */
export const WORK_FOLDER = '.satchel-backup-'

/** A local file and its name in the backup. */
interface Source extends Part {
  readonly path: string
}

/** Writes a backup that only its owner can read, completely or not at all, even while a server is running. @returns its parts */
export async function writeBackup(file: string, { database, branding, version, now }: BackupOptions): Promise<Manifest> {
  const temporary = `${file}.${process.pid}.part`
  // Beside the target: there is room for a copy, and only the owner can read it.
  const workFolder = mkdtempSync(join(dirname(file), WORK_FOLDER))
  try {
    const copy = join(workFolder, DATABASE)
    await copyToFile(copy, database)
    const sources = await Promise.all([sourceOf(copy, DATABASE), ...brandingFiles(branding)])
    const parts = sources.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }))
    const manifest: Manifest = { format: 1, version, made: now.toISOString(), parts }
    const archive = pack()
    await Promise.all([
      pipeline(archive, createGzip(), createWriteStream(temporary, { mode: 0o600, flags: 'wx' })),
      fill(archive, manifest, sources, now),
    ])
    await sync(temporary)
    renameSync(temporary, file)
    await sync(dirname(file))
    return manifest
  } finally {
    rmSync(workFolder, { recursive: true, force: true })
    rmSync(temporary, { force: true })
  }
}

/** SHA-256 of a file, hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

async function fill(archive: Pack, manifest: Manifest, sources: readonly Source[], now: Date): Promise<void> {
  try {
    archive.entry({ name: MANIFEST, mode: 0o600, mtime: now }, `${JSON.stringify(manifest, null, 2)}\n`)
    for (const { path, name, bytes } of sources)
      await pipeline(createReadStream(path), archive.entry({ name, size: bytes, mode: 0o600, mtime: now }))
    archive.finalize()
  } catch (error) {
    archive.destroy(error instanceof Error ? error : new Error(String(error)))
    throw error
  }
}

/** Regular files only: a link could lead anywhere. */
function brandingFiles(folder: string | null): Promise<Source>[] {
  if (folder === null) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => sourceOf(path, BRANDING + relative(folder, path)))
}

async function sourceOf(path: string, name: string): Promise<Source> {
  return { path, name, bytes: statSync(path).size, sha256: await sha256Of(path) }
}

/** Waits until a file or the names in a folder are on the disk. */
export async function sync(path: string): Promise<void> {
  await using handle = await open(path)
  await handle.sync()
}

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'

/** A file of the built web. */
export interface WebFile {
  readonly size: number
  readonly modified: number
  /** Null if it was removed since. */
  read(): Promise<Uint8Array<ArrayBuffer> | null>
}

/** Says where in one file the others are. Releases have it, because one file is unpacked and checked sooner than a thousand (decision 061). */
export const PACKED_LIST = 'packed.json'

const PackedList = z.object({
  /** In the same folder. Its name contains a hash, so that a new version never has other bytes at the same place. */
  file: z.string(),
  /** Where each file begins and ends. */
  places: z.record(z.string(), z.tuple([z.number(), z.number()])),
})
export type PackedList = z.infer<typeof PackedList>

/** Every file of the built web by its name; empty if it was not built. */
export function webFiles(webDir: string): ReadonlyMap<string, WebFile> {
  const list = join(webDir, PACKED_LIST)
  const names = existsSync(list) ? [] : namesIn(webDir, '')
  const single = names.map((name): [string, WebFile] => [name, fileOf(join(webDir, name), statSync(join(webDir, name)))])
  return new Map([...single, ...(existsSync(list) ? packedFiles(webDir, list) : [])])
}

/** A file by itself, of which somebody has asked the disk. */
export function fileOf(path: string, { size, mtimeMs }: { size: number; mtimeMs: number }): WebFile {
  return { size, modified: mtimeMs, read: () => bytesOf(Bun.file(path)) }
}

function packedFiles(webDir: string, list: string): [string, WebFile][] {
  const { file, places } = z.parse(PackedList, JSON.parse(readFileSync(list, 'utf8')))
  const path = join(webDir, file)
  const { mtimeMs } = statSync(path)
  return Object.entries(places).map(([name, [start, end]]) => [
    name,
    { size: end - start, modified: mtimeMs, read: () => bytesOf(Bun.file(path).slice(start, end)) },
  ])
}

async function bytesOf(file: Bun.BunFile): Promise<Uint8Array<ArrayBuffer> | null> {
  return (await file.exists()) ? file.bytes() : null
}

function namesIn(folder: string, prefix: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((item) =>
    item.isDirectory() ? namesIn(join(folder, item.name), `${prefix}${item.name}/`) : [prefix + item.name],
  )
}

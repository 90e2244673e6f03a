import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { type Header, pack } from 'tar-stream'

export type EntryHeader = Partial<Header> & Pick<Header, 'name'>

/** One file, folder or link of a layer; the name has no slash at either end. */
export interface Entry {
  readonly header: EntryHeader
  readonly content?: Buffer
}

export interface Layer {
  /** Compressed. */
  readonly blob: Buffer
  /** Of the tar, which names a layer's content. */
  readonly diffId: string
  readonly about: string
}

/** A layer of these entries. The same entries give the same bytes; of two with one name the last counts. */
export async function layerOf(about: string, entries: Iterable<Entry>): Promise<Layer> {
  const byName = new Map([...entries].map((entry) => [entry.header.name, entry]))
  const files = pack()
  const whole = buffer(files)
  for (const [, { header, content }] of [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const name = header.type === 'directory' ? `${header.name}/` : header.name
    files.entry({ uid: 0, gid: 0, uname: '', gname: '', ...header, name }, content ?? '')
  }
  files.finalize()
  const tar = await whole
  return { blob: gzipSync(tar, { level: 9 }), diffId: digestOf(tar), about }
}

/** A text file that belongs to root. */
export function textEntry(name: string, text: string, mtime: Date, mode = 0o644): Entry {
  return { header: { name, mtime, mode, type: 'file' }, content: Buffer.from(text) }
}

export function folderEntry(name: string, mtime: Date, more: Partial<Header> = {}): Entry {
  return { header: { name, mtime, mode: 0o755, type: 'directory', ...more } }
}

/** Everything below a folder, under another name. */
export function treeEntries(folder: string, name: string, mtime: Date): Entry[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => {
    const stat = statSync(join(folder, path))
    if (stat.isDirectory()) return folderEntry(`${name}/${path}`, mtime)
    return fileEntry(join(folder, path), `${name}/${path}`, mtime)
  })
}

export function fileEntry(source: string, name: string, mtime: Date): Entry {
  const mode = (statSync(source).mode & 0o111) === 0 ? 0o644 : 0o755
  return { header: { name, mtime, mode, type: 'file' }, content: readFileSync(source) }
}

export function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

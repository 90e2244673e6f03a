import { createReadStream, createWriteStream, existsSync, mkdirSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Extract, extract } from 'tar-stream'
import * as z from 'zod/mini'
import { issueTexts } from '../../../shared/errors.ts'
import { BRANDING, DATABASE, MANIFEST, Manifest } from '../../backup/manifest.ts'
import { sha256Of } from '../../backup/write-backup.ts'
import { ConfigError } from '../../config/config-error.ts'
import { visible } from '../print.ts'
import { recordOr } from '../records.ts'

const MEBIBYTE = 1024 ** 2
const MOST_MANIFEST_BYTES = 16 * MEBIBYTE
/** What the archive holds of each part besides its content, with a long name. */
const AROUND_PART_BYTES = 16 * 1024

/** How many bytes of the unpacked archive are read. */
interface Limit {
  bytes: number
}

/** What is wrong with the content of a backup. */
class Flaw extends Error {}

/**
 * Unpacks a backup into an empty folder and checks that every part is there and unchanged. Writes nothing that its manifest does not name, and no more
 * than that says. Throws `ConfigError`.
 */
export async function readBackup(file: string, folder: string): Promise<Manifest> {
  if (!existsSync(file)) throw new ConfigError(`there is no file ${file}`)
  const unpacked = extract()
  const limit: Limit = { bytes: MOST_MANIFEST_BYTES }
  const [read, written] = await Promise.allSettled([
    pipeline(createReadStream(file), createGunzip(), (bytes: AsyncIterable<Buffer>) => bounded(bytes, limit), unpacked),
    unpack(unpacked, folder, limit),
  ])
  if (read.status === 'fulfilled' && written.status === 'fulfilled') return written.value
  const errors = [written, read].flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
  const error = errors.find((one) => one instanceof Flaw || one instanceof ConfigError) ?? errors.at(-1)
  if (error instanceof ConfigError) throw error
  throw new ConfigError(`${file} is no whole backup of Satchel: ${reasonOf(error)}; nothing was changed`, { cause: error })
}

async function* bounded(bytes: AsyncIterable<Buffer>, limit: Limit): AsyncGenerator<Buffer> {
  let seen = 0
  for await (const chunk of bytes) {
    seen += chunk.length
    if (seen > limit.bytes) throw new Flaw(`there is more in it than ${MANIFEST} says`)
    yield chunk
  }
}

async function unpack(entries: Extract, folder: string, limit: Limit): Promise<Manifest> {
  let manifest: Manifest | null = null
  const missing = new Map<string, Manifest['parts'][number]>()
  for await (const entry of entries) {
    const { name, type, size } = entry.header
    if (manifest === null) {
      if (name !== MANIFEST || type !== 'file') throw new Flaw(`it begins with ${visible(name)} instead of ${MANIFEST}`)
      if (size > MOST_MANIFEST_BYTES) throw new Flaw(`${MANIFEST} is too large`)
      manifest = manifestIn((await buffer(entry)).toString())
      for (const part of manifest.parts) missing.set(part.name, part)
      limit.bytes += bytesOf(manifest) + manifest.parts.length * AROUND_PART_BYTES
      refuseWithoutRoom(folder, bytesOf(manifest))
      continue
    }
    const part = missing.get(name)
    if (part === undefined || type !== 'file')
      throw new Flaw(`${MANIFEST} does not name the ${type} ${visible(name)}, or it is there twice`)
    missing.delete(name)
    if (size !== part.bytes) throw new Flaw(`${visible(name)} has ${size} bytes instead of ${part.bytes}`)
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    await pipeline(entry, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    if ((await sha256Of(path)) !== part.sha256) throw new Flaw(`the SHA-256 of ${visible(name)} is not the one in ${MANIFEST}`)
  }
  if (manifest === null) throw new Flaw(`${MANIFEST} is missing`)
  const [first] = missing.keys()
  if (first !== undefined) throw new Flaw(`${visible(first)} is missing${missing.size === 1 ? '' : `, and ${missing.size - 1} more files`}`)
  return manifest
}

function manifestIn(text: string): Manifest {
  const record = recordOr(parsed(text))
  const read = z.safeParse(Manifest, record)
  if (!read.success) {
    if (typeof record.format === 'number' && record.format > 1)
      throw new Flaw(`version ${visible(String(record.version))} made it in format ${record.format}, which this older program cannot read`)
    throw new Flaw(`${MANIFEST} cannot be read: ${visible(issueTexts(read.error).join('; '))}`)
  }
  const { parts } = read.data
  const names = parts.map(({ name }) => name)
  const wrong = names.find((name, at) => !isPartName(name) || names.indexOf(name) !== at)
  if (wrong !== undefined) throw new Flaw(`${MANIFEST} names ${visible(wrong)}, which is no part of a backup, or names it twice`)
  if (!names.includes(DATABASE)) throw new Flaw(`${MANIFEST} names no ${DATABASE}`)
  return read.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Flaw(`${MANIFEST} is no JSON`, { cause: error })
  }
}

/** A backup may come from anywhere: none of its names may lead out of the folder. */
function isPartName(name: string): boolean {
  const segments = name.split('/')
  return name === DATABASE || (name.startsWith(BRANDING) && !segments.some((segment) => ['', '.', '..'].includes(segment)))
}

function bytesOf({ parts }: Manifest): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0)
}

function refuseWithoutRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const [needed, free] = [Math.ceil(bytes / MEBIBYTE), Math.floor((bavail * bsize) / MEBIBYTE)]
  if (needed > free)
    throw new ConfigError(`there is no room in ${dirname(folder)}: ${needed} MiB are needed, ${free} MiB are free; nothing was changed`)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : ''
  if (code === 'Z_DATA_ERROR') return 'it is no gzip file, or it is damaged'
  if (code === 'Z_BUF_ERROR') return 'its end is missing'
  return error.message
}

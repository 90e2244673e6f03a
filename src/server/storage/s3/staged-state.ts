import { fail } from '../../../shared/errors.ts'
import type { Copying } from './copying.ts'
import type { Keys } from './keys.ts'
import type { S3Multipart, S3Part, S3Upload } from './multipart.ts'
import type { S3Object, S3Objects } from './objects.ts'
import { openRange } from './open.ts'
import type { S3Client } from './client.ts'
import type { S3Limits } from './options.ts'
import type { Tails } from './tails.ts'

/** Where the bytes of a staged file are: parts of an upload below the private prefix, then the tail on the local disk. */
export interface Staged {
  upload: S3Upload | null
  /** From the first byte on, without a gap. */
  parts: S3Part[]
  /** The whole file as an object, after an upload was completed and could not be published. */
  object: S3Object | null
  /** The file of which it is a copy that has not been made yet. */
  source: S3Object | null
}

export interface StagedStates {
  /** What is staged under an id, by this process or before. */
  of(id: string): Promise<Staged>
  /** Nothing can be staged under this id yet. */
  begin(id: string): void
  sizeOf(id: string, staged: Staged): Promise<number>
  /** Keeps the first `size` bytes, from wherever they are, as parts of a new upload and a tail; nothing else is left of it. */
  restage(id: string, from: { id: string; staged: Staged }, size: number): Promise<Staged>
  drop(id: string): Promise<void>
  /** All ids with bytes in the bucket or here. */
  ids(): Promise<string[]>
  keyOf(id: string): string
  set(id: string, staged: Staged): void
  forget(id: string): void
}

export interface StatesDeps {
  readonly client: S3Client
  readonly objects: S3Objects
  readonly multipart: S3Multipart
  readonly copying: Copying
  readonly tails: Tails
  readonly keys: Keys
  readonly limits: S3Limits
}

export function bytesIn(parts: readonly S3Part[]): number {
  return parts.reduce((sum, { size }) => sum + size, 0)
}

const nothing = (): Staged => ({ upload: null, parts: [], object: null, source: null })

export function createStagedStates({ client, objects, multipart, copying, tails, keys, limits }: StatesDeps): StagedStates {
  const area = keys.hidden('staging/')
  const known = new Map<string, Promise<Staged>>()

  const keyOf = (id: string): string => `${area}${id}`

  async function find(id: string): Promise<Staged> {
    const key = keyOf(id)
    const uploads = (await multipart.uploads(key)).filter((upload) => upload.key === key)
    const [newest, ...older] = uploads.toSorted((one, other) => other.begun - one.begun)
    // Only a kill between two steps leaves more than one.
    for (const one of older) await multipart.abort(one)
    const parts = newest === undefined ? null : await multipart.parts(newest)
    const gap = (parts ?? []).findIndex(({ number }, index) => number !== index + 1)
    const found = {
      ...nothing(),
      upload: parts === null ? null : (newest ?? null),
      parts: parts?.slice(0, gap < 0 ? undefined : gap) ?? [],
    }
    return found.upload === null ? { ...found, object: await objects.head(key) } : found
  }

  async function of(id: string): Promise<Staged> {
    const found = known.get(id) ?? find(id)
    known.set(id, found)
    try {
      return await found
    } catch (error) {
      known.delete(id)
      throw error
    }
  }

  async function sizeOf(id: string, { parts, object, source }: Staged): Promise<number> {
    const whole = object ?? source
    if (whole !== null) return whole.size
    const sent = bytesIn(parts)
    const tail = await tails.look(id)
    return tail === null || tail.offset > sent ? sent : Math.max(sent, tail.offset + tail.size)
  }

  async function drop(id: string): Promise<void> {
    const { upload, object } = await of(id)
    known.delete(id)
    if (upload !== null) await multipart.abort(upload)
    if (object !== null) await objects.remove(object.key)
    await tails.drop(id)
  }

  /** Bytes of an object in memory; a part at most. */
  async function read(object: S3Object, start: number, end: number): Promise<Uint8Array> {
    return start >= end ? new Uint8Array(0) : await (await openRange({ client, limits }, object, start, end)).bytes()
  }

  /** All bytes of the parts as an object, so that they can be read and copied, and no other writer can add to them. */
  async function solid({ upload, parts, object, source }: Staged): Promise<S3Object | null> {
    if (object !== null || source !== null) return object ?? source
    if (upload === null || parts.length === 0) return null
    await multipart.complete(upload, parts)
    return await objects.head(upload.key)
  }

  async function restage(id: string, from: { id: string; staged: Staged }, size: number): Promise<Staged> {
    const tail = await tails.read(from.id)
    const object = await solid(from.staged)
    const whole = object === null ? 0 : Math.min(size, object.size)
    // All parts but the last have one length, which some services insist on.
    const length = partLength(1, { first: undefined, partBytes: from.staged.parts[0]?.size ?? limits.partBytes, announced: whole })
    const count = Math.floor(whole / length)
    const next = nothing()
    if (object !== null && count > 0) {
      next.upload = await multipart.begin(keyOf(id))
      next.parts = await copying.copyRanges(
        object,
        next.upload,
        Array.from({ length: count }, () => length),
      )
    }
    const rest = object === null ? new Uint8Array(0) : await read(object, count * length, whole)
    const sent = object?.size ?? 0
    const more = tail !== null && tail.offset <= sent && size > sent ? tail.bytes.subarray(sent - tail.offset) : new Uint8Array(0)
    const bytes = Buffer.concat([rest, more]).subarray(0, size - count * length)
    await tails.write(id, count * length, bytes, { durable: true })
    if (from.staged.source === null && object !== null) await objects.remove(object.key)
    if (from.id !== id) {
      await tails.drop(from.id)
      known.delete(from.id)
    }
    known.set(id, Promise.resolve(next))
    return next
  }

  return {
    of,
    begin: (id) => void (known.has(id) || known.set(id, Promise.resolve(nothing()))),
    sizeOf,
    restage,
    drop,
    async ids() {
      const ids = new Set(await tails.ids())
      for (const { key } of await multipart.uploads(area)) ids.add(key.slice(area.length))
      for await (const page of objects.pages(area, { flat: true })) for (const { key } of page.objects) ids.add(key.slice(area.length))
      return [...ids].filter((id) => id !== '')
    },
    keyOf,
    set: (id, staged) => void known.set(id, Promise.resolve(staged)),
    forget: (id) => void known.delete(id),
  }
}

/** The length of a part, so that 10,000 of them hold a file of the announced length; without one, later parts are longer. */
export function partLength(
  number: number,
  { first, partBytes, announced }: { first: number | undefined; partBytes: number; announced: number },
): number {
  const base = first ?? Math.max(partBytes, Math.ceil(announced / MOST_PARTS / MIB) * MIB)
  if (number > MOST_PARTS) fail('too-large', { limit: MOST_PARTS * base })
  const isAnnounced = announced > 0 && announced <= base * MOST_PARTS
  return number <= EVEN_PARTS || isAnnounced ? base : Math.min(MOST_PART_BYTES, base * 2 ** Math.ceil((number - EVEN_PARTS) / 1000))
}

const MIB = 1024 ** 2
/** S3 allows these many, of 5 GiB each. */
const MOST_PARTS = 10_000
const MOST_PART_BYTES = 5 * 1024 ** 3
const EVEN_PARTS = 5000

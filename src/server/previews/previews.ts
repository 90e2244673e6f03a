import { createHash } from 'node:crypto'
import type { PictureSize, PreviewSize } from '../../shared/contract/previews.ts'
import { fail } from '../../shared/errors.ts'
import { createLru } from '../../shared/lru.ts'
import { createSemaphore } from '../../shared/semaphore.ts'
import { type FilePath, nameOf } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import type { Entry } from '../drive/entry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { PictureCache } from './cache.ts'
import { pdfOf } from './office-pdf.ts'
import { BIG_PX, type Failure, type Crashed, MAX_INPUT_BYTES, MAX_PIXELS, type RenderRequest, type Rendition, THUMB_PX } from './picture.ts'
import type { Pool } from './pool.ts'
import { findEmbedded } from './raw-photo.ts'
import { createSingleFlight } from '../../shared/single-flight.ts'
import { stillOf } from './still.ts'
import { isOfficeName } from '../../shared/office-name.ts'
import { extensionOf, fileType } from '../../shared/file-type.ts'

export interface PreviewsOptions {
  readonly pool: Pool
  readonly sandbox: Sandbox
  readonly cache: PictureCache
  /** If off, images are served unchanged. */
  readonly thumbnails: boolean
  readonly resize: boolean
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
}

export interface Preview {
  readonly entry: Entry
  /** Cache key: this version of this file in this size. */
  readonly key: string
  readonly asItIs: boolean
}

export type Previews = ReturnType<typeof createPreviews>

/** Raising it invalidates all cached pictures. */
const VERSION = 2
/** A small animation is its own thumbnail. */
const MAX_ORIGINAL_BYTES = 1024 ** 2
const MOST_FAILURES = 10_000
/**
 * When to try again after a crash, whose cause (no memory, a disk error) may have gone. A picture that always crashes the program costs one attempt
 * each time.
 */
const CRASHED_MS = 60_000
/** ffmpeg and poppler, besides the rendering processes. */
const STILLS_AT_ONCE = 1
/** LibreOffice, which needs the most memory of all. */
const OFFICE_AT_ONCE = 1
/** Maximum queue of pictures, for images and for films. Our web application requests five at a time. */
const MOST_WAITING = 100
/** A single large picture waits longer than a page of thumbnails, which are requested again. */
const LONGEST_WAIT_MS: Record<PreviewSize, number> = { thumb: 5000, big: 20_000, pdf: 60_000 }

type Made = Rendition | Failure | Crashed
type Job = { drive: Drive; entry: Entry; size: PreviewSize; clientKey: string; signal: AbortSignal }

export function createPreviews({ pool, sandbox, cache, thumbnails, resize, now = () => performance.now() }: PreviewsOptions) {
  const share = createSingleFlight<Made>()
  const images = createSemaphore({ slots: pool.size, waiting: MOST_WAITING })
  const stills = createSemaphore({ slots: STILLS_AT_ONCE, waiting: MOST_WAITING })
  const office = createSemaphore({ slots: OFFICE_AT_ONCE, waiting: MOST_WAITING })
  const failed = createLru<string, Failed>(MOST_FAILURES)

  /** Files are opened when their turn comes: waiting requests hold no resources. */
  function make(job: Job): Promise<Made> {
    const kind = previewKind(job.entry.name)
    if (kind === 'office') return fromOffice(job)
    if (kind === 'video' || kind === 'audio' || kind === 'pdf') return fromStill(job, kind)
    return images.run(job.clientKey, () => fromImage(job), waitingOf(job))
  }

  async function fromStill(job: Job, kind: 'video' | 'audio' | 'pdf'): Promise<Made> {
    const { size, signal } = pictureOf(job)
    const work = async () => {
      await using file = await openSame(job)
      return file.descriptor === null ? null : await stillOf(sandbox, kind, { descriptor: file.descriptor, signal })
    }
    const still = await stills.run(job.clientKey, work, waitingOf(job))
    if (still === null || still === 'crashed') return still ?? 'not-previewable'
    return pool.render({ ...orderFor(size, still.length), crop: kind === 'pdf' ? 'top' : 'middle' }, () => new Blob([still]).stream(), {
      signal,
    })
  }

  async function fromOffice(job: Job): Promise<Made> {
    const work = async () => {
      await using file = await openSame(job)
      if (file.descriptor === null) return 'not-previewable'
      return await pdfOf(sandbox, { name: job.entry.name, descriptor: file.descriptor, signal: job.signal })
    }
    return office.run(job.clientKey, work, waitingOf(job))
  }

  async function fromImage(job: Job): Promise<Made> {
    const { entry, size, signal } = pictureOf(job)
    await using file = await openSame(job)
    const length = file.stat.size
    const pixels = size === 'thumb' ? THUMB_PX : BIG_PX
    const isRaw = previewKind(entry.name) === 'raw-photo'
    const within = isRaw ? await findEmbedded((start, count) => file.peek(start, count), length, { pixels }) : null
    if (within !== null) {
      const { start, end, orientation } = within
      return await pool.render({ ...orderFor(size, end - start), orientation }, () => file.stream(start, end), { signal })
    }
    if (length > MAX_INPUT_BYTES) return 'too-large'
    const decoder = isHeic(await file.peek(0, 12)) ? 'heic' : 'sharp'
    return await pool.render({ ...orderFor(size, length), decoder }, () => file.stream(0, length), { signal })
  }

  async function makeAndKeep(key: string, job: Job): Promise<Made> {
    const known = (await cache.get(key)) ?? knownFailure(key)
    if (known !== null) return known
    const made = await make(job)
    if (typeof made === 'string') failed.set(key, { failure: made, until: made === 'crashed' ? now() + CRASHED_MS : Infinity })
    else await cache.put(key, made)
    return made
  }

  function knownFailure(key: string): Failure | Crashed | null {
    const known = failed.get(key)
    if (known !== undefined && now() < known.until) return known.failure
    failed.delete(key)
    return null
  }

  return {
    /**
     * Decides without reading the file. Fails with `not-found` and `not-previewable`.
     * @param options.name determines its kind; by default that of the path
     */
    async plan(
      drive: Drive,
      path: FilePath,
      { size, name = nameOf(path) }: { size: PreviewSize; name?: string | undefined },
    ): Promise<Preview> {
      const entry = { ...(await drive.stat(path)), name }
      const kind = previewKind(name)
      // Its target is missing or invisible to this user.
      if (entry.stat.kind === 'link') fail('not-found', { path })
      if (entry.stat.kind !== 'file' || kind === null || entry.stat.size === 0) fail('not-previewable', { path })
      // Pictures of office documents would cost a PDF of each.
      if ((size === 'pdf') !== (kind === 'office')) fail('not-previewable', { path })
      if (size === 'pdf') return { entry, key: keyOf(entry, size), asItIs: false }
      const wanted = size === 'thumb' ? thumbnails : resize
      const asItIs =
        kind === 'as-it-is' ||
        (kind === 'gif' && (size === 'big' || entry.stat.size <= MAX_ORIGINAL_BYTES)) ||
        (!wanted && isForBrowsers(entry.name))
      if (!asItIs && size === 'thumb' && !thumbnails) fail('not-previewable', { path })
      return { entry, key: keyOf(entry, size), asItIs }
    },
    /**
     * Generated or from the cache. Fails with `not-previewable`, `too-large`, `download-refused`, and with `too-many-requests` if it would wait too
     * long for others.
     * @param options.clientKey clients take turns
     */
    async rendition(
      drive: Drive,
      { entry, key }: Preview,
      { size, clientKey, signal }: { size: PreviewSize; clientKey: string; signal: AbortSignal },
    ): Promise<Rendition> {
      const made = await share(key, (shared) => makeAndKeep(key, { drive, entry, size, clientKey, signal: shared }), { signal })
      if (made === 'too-large') fail('too-large', { limit: MAX_PIXELS })
      if (made === 'not-previewable' || made === 'crashed') fail('not-previewable', { path: entry.path })
      return made
    },
    sweep: (): Promise<void> => cache.sweep(),
    end: (): void => pool.end(),
  }
}

/** Of a request for one of our pictures. */
function pictureOf({ size, ...job }: Job): Omit<Job, 'size'> & { size: PictureSize } {
  return size === 'pdf' ? fail('not-previewable', { path: job.entry.path }) : { ...job, size }
}

/** Fails with `busy` if the file was replaced since it was looked up: the next request gets the new one. */
async function openSame({ drive, entry, size }: Job): Promise<Awaited<ReturnType<Drive['open']>>> {
  const file = await drive.open(entry.path)
  if (keyOf({ ...entry, stat: file.stat }, size) === keyOf(entry, size)) return file
  await file.close()
  return fail('busy', { path: entry.path })
}

function waitingOf({ size, signal }: Job): { signal: AbortSignal; maxWaitMs: number } {
  return { signal, maxWaitMs: LONGEST_WAIT_MS[size] }
}

function orderFor(size: PictureSize, length: number): RenderRequest {
  return { size, decoder: 'sharp', orientation: null, length, crop: 'middle' }
}

/** One version of one node, whatever the viewer and the path. */
function keyOf({ stat, name }: Entry, size: PreviewSize): string {
  const parts = [VERSION, size, stat.identity, stat.modified, stat.size, previewKind(name)]
  return createHash('sha256').update(parts.join('\0')).digest('hex')
}

interface Failed {
  readonly failure: Failure | Crashed
  /** By the clock of the options. */
  readonly until: number
}

/** How a file is turned into a picture; `as-it-is` for images that only browsers decode, null if there is no way. */
type PreviewKind = 'image' | 'gif' | 'raw-photo' | 'as-it-is' | 'video' | 'audio' | 'pdf' | 'office' | null

/** TIFF files with embedded pictures. */
const RAW_PHOTO = new Set('dng cr2 nef arw orf rw2 pef srw'.split(' '))
const ONLY_BROWSERS = new Set('bmp dib ico cur'.split(' '))
/** Images that every browser shows: served unchanged if resizing is off. */
const BROWSER = new Set('jpg jpeg jpe jfif png apng gif webp avif svg bmp dib ico cur'.split(' '))

function previewKind(name: string): PreviewKind {
  const extension = extensionOf(name).slice(1).toLowerCase()
  const type = fileType(name)
  if (RAW_PHOTO.has(extension)) return 'raw-photo'
  if (ONLY_BROWSERS.has(extension)) return 'as-it-is'
  if (extension === 'gif') return 'gif'
  if (isOfficeName(name)) return 'office'
  return type === 'image' || type === 'video' || type === 'audio' || type === 'pdf' ? type : null
}

function isForBrowsers(name: string): boolean {
  return BROWSER.has(extensionOf(name).slice(1).toLowerCase())
}

/** HEIC by its first bytes (ISO 14496-12 brand), whatever the name: phones mix up the extensions. */
function isHeic(head: Uint8Array): boolean {
  const brand = Buffer.from(head.subarray(4, 12)).toString('latin1')
  return /^ftyp(heic|heix|hevc|hevx|mif1|msf1)$/.test(brand)
}

import { createHash } from 'node:crypto'
import type { PreviewSize } from '../../shared/contract/previews.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf } from '../../shared/file-path.ts'
import type { Drive, Entry } from '../drive/drive.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { PictureCache } from './cache.ts'
import { isForBrowsers, isHeic, previewKind } from './kinds.ts'
import { BIG_PX, type Failure, MAX_INPUT_BYTES, MAX_PIXELS, type Order, type Picture, THUMB_PX } from './picture.ts'
import type { Pool } from './pool.ts'
import { createQueue } from './queue.ts'
import { findEmbedded } from './raw-photo.ts'
import { createSharedWork } from './shared-work.ts'
import { stillOf } from './still.ts'

export interface PreviewsOptions {
  readonly pool: Pool
  readonly sandbox: Sandbox
  readonly cache: PictureCache
  /** Off: images are served as they are (contract reference 1.11). */
  readonly thumbnails: boolean
  readonly resize: boolean
}

/** What to answer with: a picture of the file, or the file itself. */
export type Preview = { readonly entry: Entry; readonly key: string } & ({ readonly asItIs: true } | { readonly asItIs: false })

export interface Previews {
  /** Decides without reading the file. Fails with `not-found` and `not-previewable`. */
  plan(drive: Drive, path: FilePath, size: PreviewSize): Promise<Preview>
  /** Made or remembered. Fails with `not-previewable`, `too-large`, `download-refused`. */
  picture(drive: Drive, preview: Preview, options: { size: PreviewSize; signal: AbortSignal }): Promise<Picture>
  sweep(): Promise<void>
  end(): void
}

/** A new number makes every kept picture anew. */
const VERSION = 1
/** A small animation is its own thumbnail. */
const MAX_ORIGINAL_BYTES = 1024 ** 2
const MOST_FAILURES = 10_000
/** ffmpeg and poppler next to the rendering processes. */
const STILLS_AT_ONCE = 1

type Job = { drive: Drive; entry: Entry; size: PreviewSize; signal: AbortSignal }

export function createPreviews({ pool, sandbox, cache, thumbnails, resize }: PreviewsOptions): Previews {
  const share = createSharedWork<Picture | Failure>()
  const stills = createQueue(STILLS_AT_ONCE)
  const failed = new Map<string, Failure>()

  async function make({ drive, entry, size, signal }: Job): Promise<Picture | Failure> {
    const kind = previewKind(entry.name)
    await using file = await drive.open(entry.path)
    const { stat } = file
    // Replaced since somebody looked: the next look has the new one.
    if (keyOf({ ...entry, stat }, size) !== keyOf(entry, size)) fail('busy', { path: entry.path })
    const order = (more: Partial<Order>): Order => ({ size, decoder: 'sharp', orientation: null, length: stat.size, ...more })
    if (kind === 'video' || kind === 'audio' || kind === 'pdf') {
      const { descriptor } = file
      if (descriptor === null) return 'not-previewable'
      const still = await stills(() => stillOf(sandbox, kind, { descriptor, signal }), { signal })
      if (still === null) return 'not-previewable'
      return await pool.render(order({ length: still.length }), () => new Blob([still]).stream(), { signal })
    }
    if (kind === 'raw-photo') {
      const found = await findEmbedded((start, length) => file.peek(start, length), stat.size, {
        pixels: size === 'thumb' ? THUMB_PX : BIG_PX,
      })
      if (found !== null) {
        const { start, end, orientation } = found
        return await pool.render(order({ length: end - start, orientation }), () => file.stream(start, end), { signal })
      }
    }
    if (stat.size > MAX_INPUT_BYTES) return 'too-large'
    const decoder = isHeic(await file.peek(0, 12)) ? 'heic' : 'sharp'
    return await pool.render(order({ decoder }), () => file.stream(0, stat.size), { signal })
  }

  async function makeAndKeep(key: string, job: Job): Promise<Picture | Failure> {
    const made = (await cache.get(key)) ?? failed.get(key) ?? (await make(job))
    if (typeof made === 'string') remember(failed, key, made)
    else await cache.put(key, made)
    return made
  }

  return {
    async plan(drive, path, size) {
      const entry = await drive.stat(path)
      const kind = previewKind(nameOf(path))
      // It leads nowhere that this person may see.
      if (entry.stat.kind === 'link') fail('not-found', { path })
      if (entry.stat.kind !== 'file' || kind === null || entry.stat.size === 0) fail('not-previewable', { path })
      const wanted = size === 'thumb' ? thumbnails : resize
      const asItIs =
        kind === 'as-it-is' ||
        (kind === 'gif' && (size === 'big' || entry.stat.size <= MAX_ORIGINAL_BYTES)) ||
        (!wanted && isForBrowsers(entry.name))
      if (!asItIs && size === 'thumb' && !thumbnails) fail('not-previewable', { path })
      return { entry, key: keyOf(entry, size), asItIs }
    },
    async picture(drive, { entry, key }, { size, signal }) {
      const made = await share(key, (shared) => makeAndKeep(key, { drive, entry, size, signal: shared }), { signal })
      if (made === 'too-large') fail('too-large', { limit: MAX_PIXELS })
      if (made === 'not-previewable') fail('not-previewable', { path: entry.path })
      return made
    },
    sweep: () => cache.sweep(),
    end: () => pool.end(),
  }
}

/** One version of one node, whoever looks at it and by whatever name. */
function keyOf({ stat, name }: Entry, size: PreviewSize): string {
  const parts = [VERSION, size, stat.identity, stat.modified, stat.size, previewKind(name)]
  return createHash('sha256').update(parts.join('\0')).digest('hex')
}

function remember(failed: Map<string, Failure>, key: string, failure: Failure): void {
  failed.set(key, failure)
  const [oldest] = failed.keys()
  if (failed.size > MOST_FAILURES && oldest !== undefined) failed.delete(oldest)
}

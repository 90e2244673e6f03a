import { fail } from '../../../shared/errors.ts'
import type { Abilities } from './abilities.ts'
import { isFailure } from './failures.ts'
import type { S3Multipart, S3Part, S3Upload } from './multipart.ts'
import { eachOf, type S3Object, type S3Objects } from './objects.ts'
import type { S3Limits } from './options.ts'

interface CopyingDeps {
  readonly objects: S3Objects
  readonly multipart: S3Multipart
  readonly abilities: () => Promise<Abilities>
  readonly limits: S3Limits
}

interface CopyHow {
  readonly isNew?: boolean
  /** Instead of the metadata of the object. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface Copying {
  /** Copies an object within the bucket, whatever its size. With `isNew`, fails with 412 if the key is used and the service can tell. */
  copy(from: S3Object, to: string, options?: CopyHow): Promise<void>
  /** Parts of an upload with the same bytes as ranges of an object, each as long as told. */
  copyRanges(from: S3Object, upload: S3Upload, lengths: readonly number[]): Promise<S3Part[]>
}

export function createCopying({ objects, multipart, abilities, limits }: CopyingDeps): Copying {
  async function copyWhole(from: S3Object, to: string, { isNew = false, headers }: CopyHow): Promise<void> {
    const asked = isNew && (await abilities()).conditionalCopy
    try {
      const replaced = headers === undefined ? {} : { ...headers, 'x-amz-metadata-directive': 'REPLACE' }
      await objects.copy(from, to, { isNew: asked, headers: replaced })
    } catch (error) {
      if (!isFailure(error, 412)) throw error
      // Another program has changed the source.
      if (!asked) fail('busy', {}, { cause: error })
      if (!(error.isRepeated && (await isCopied(from, to)))) throw error
    }
  }

  /** After a repeated request: whether the first one did it, whose answer was lost. */
  async function isCopied(from: S3Object, to: string): Promise<boolean> {
    const copy = await objects.head(to)
    return copy !== null && copy.etag === from.etag && copy.size === from.size
  }

  async function copyRanges(from: S3Object, upload: S3Upload, lengths: readonly number[]): Promise<S3Part[]> {
    const parts: S3Part[] = []
    let start = 0
    const ranges = lengths.map((length, index) => {
      start += length
      return { number: index + 1, start: start - length, end: start }
    })
    await eachOf(ranges, limits.parallel, async ({ number, ...range }) => {
      parts.push(await multipart.copyPart(upload, number, { key: from.key, ...range }))
    })
    return parts.toSorted((one, other) => one.number - other.number)
  }

  async function copyInParts(from: S3Object, to: string, { isNew = false, headers }: CopyHow): Promise<void> {
    const upload = await multipart.begin(to, headers ?? (await objects.head(from.key))?.kept)
    try {
      const count = Math.ceil(from.size / limits.copyBytes)
      const lengths = Array.from({ length: count }, (_, index) => Math.min(limits.copyBytes, from.size - index * limits.copyBytes))
      const parts = await copyRanges(from, upload, lengths)
      await multipart.complete(upload, parts, { isNew: isNew && (await abilities()).conditionalPut })
    } catch (error) {
      const isDone = isFailure(error, 404, 412) && error.isRepeated && (await objects.head(to))?.size === from.size
      if (isDone) return
      await multipart.abort(upload).catch(() => undefined)
      throw error
    }
  }

  return {
    copyRanges,
    copy: (from, to, how = {}) => (from.size > limits.copyBytes ? copyInParts(from, to, how) : copyWhole(from, to, how)),
  }
}

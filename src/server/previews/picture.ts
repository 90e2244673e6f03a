import type { PreviewSize } from '../../shared/contract/previews.ts'

/** Formats a preview is written in: JPEG, and WebP for what is transparent. */
export type PictureType = 'image/jpeg' | 'image/webp'

export interface Picture {
  readonly type: PictureType
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What the rendering program is asked for; the bytes of the image follow. */
export interface RenderRequest {
  readonly size: PreviewSize
  readonly decoder: 'sharp' | 'heic'
  /** EXIF orientation, where the image itself does not say it: an embedded preview of a RAW file. */
  readonly orientation: number | null
  readonly length: number
  /** Which part a thumbnail shows of what is not square: of a page its head, by which pages are told apart. */
  readonly crop: 'middle' | 'top'
}

/** What the picture itself is to blame for. */
export type Failure = 'not-previewable' | 'too-large'

/** The program ended before it answered: by its limits, by the machine's, or by the bytes that it was given. That says nothing about the picture. */
export type Crashed = 'fallen'

/** What it answers; on success the bytes of the picture follow. */
export type Reply = { readonly type: PictureType; readonly length: number } | { readonly failure: Failure }

/** Pixels of an image at most, 10,000 by 10,000; more is `too-large`. */
export const MAX_PIXELS = 100_000_000
/** Of an image to be decoded. Larger ones exist, but each costs this in memory. */
export const MAX_INPUT_BYTES = 256 * 1024 ** 2
/** Sides of a thumbnail, and the longer side of a picture for the screen. */
export const THUMB_PX = 256
export const BIG_PX = 1080

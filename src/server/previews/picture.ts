import type { PictureSize } from '../../shared/contract/previews.ts'

/** Formats of previews: JPEG, and WebP for transparent images. */
export type PictureType = 'image/jpeg' | 'image/webp'

export interface Picture {
  readonly type: PictureType
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** An office document as a PDF. */
export interface PdfCopy {
  readonly type: 'application/pdf'
  readonly bytes: Uint8Array<ArrayBuffer>
}

export type Rendition = Picture | PdfCopy

/** A request to the rendering program; the bytes of the image follow. */
export interface RenderRequest {
  readonly size: PictureSize
  readonly decoder: 'sharp' | 'heic'
  /** EXIF orientation, if the image itself does not contain it: an embedded preview of a RAW file. */
  readonly orientation: number | null
  readonly length: number
  /** Which part of a non-square picture a thumbnail shows: for a page the top, which distinguishes pages. */
  readonly crop: 'middle' | 'top'
}

export type Failure = 'not-previewable' | 'too-large'

/** The program ended before it answered: by its limits, by the machine's, or because of the bytes. That says nothing about the picture. */
export type Crashed = 'crashed'

/** The response; on success the bytes of the picture follow. */
export type Reply = { readonly type: PictureType; readonly length: number } | { readonly failure: Failure }

/** Maximum pixels of an image, 10,000 by 10,000; more is `too-large`. */
export const MAX_PIXELS = 100_000_000
/** Maximum size of an image to decode; it needs at least this much memory. */
export const MAX_INPUT_BYTES = 256 * 1024 ** 2
/** Sides of a thumbnail, and the longer side of a picture for the screen. */
export const THUMB_PX = 256
export const BIG_PX = 1080

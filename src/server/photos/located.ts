import type { Span } from './limited-peek.ts'

/** Where a file holds its metadata, and what its container tells. */
export interface Located {
  /** Pixels, as stored; of a HEIC as shown. */
  readonly width: number | null
  readonly height: number | null
  /** A TIFF. */
  readonly exif: Span | null
  readonly xmp: Span | null
  /** IPTC records, or with `isPacked` the resources of Photoshop around them. */
  readonly iptc: (Span & { readonly isPacked: boolean }) | null
  /** Its pixels are turned by the container already, whatever its EXIF says. */
  readonly isUpright: boolean
}

export const NOWHERE: Located = { width: null, height: null, exif: null, xmp: null, iptc: null, isUpright: false }

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** A small square for listings, or a picture that fills a screen. */
export type PictureSize = 'thumb' | 'big'
/** A picture, or an office document as a PDF. */
export const PREVIEW_SIZES = ['thumb', 'big', 'pdf'] as const
export type PreviewSize = (typeof PREVIEW_SIZES)[number]

export const previews = {
  /**
   * A picture of a file, or an office document as a PDF. `size` is `thumb` (256 by 256 pixels), `big` (inside 1080 by 1080) or `pdf`; `k` and `key` are
   * cache busters. `not-previewable` for what cannot be shown in that form, also where the program for it is not installed.
   */
  get: endpoint('user', 'GET /api/preview/:size/*path', {
    needs: ['download'],
    query: z.object({ inline: z.optional(z.string()), k: z.optional(z.string()), key: z.optional(z.string()) }),
  }),
}

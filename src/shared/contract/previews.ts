import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** A small square for listings, or a picture that fills a screen. */
export const PREVIEW_SIZES = ['thumb', 'big'] as const
export type PreviewSize = (typeof PREVIEW_SIZES)[number]

export const previews = {
  /** A picture of a file. `size` is `thumb` (256 by 256 pixels) or `big` (inside 1080 by 1080); `k` and `key` are cache busters. */
  get: endpoint('user', 'GET /api/preview/:size/*path', {
    needs: ['download'],
    query: z.object({ inline: z.optional(z.string()), k: z.optional(z.string()), key: z.optional(z.string()) }),
  }),
}

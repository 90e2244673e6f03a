import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const raw = {
  /**
   * One file as bytes, a folder or several `files` below it as an archive of the format `algo`; ranges, conditions and HEAD as in RFC 9110, for zip
   * and tar archives as well. `k` is a cache buster.
   */
  get: endpoint('user', 'GET /api/raw/*path', {
    needs: ['download'],
    query: z.object({
      inline: z.optional(z.string()),
      algo: z.optional(z.string()),
      files: z.optional(z.union([z.string(), z.array(z.string())])),
      k: z.optional(z.string()),
    }),
  }),
}

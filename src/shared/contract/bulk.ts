import * as z from 'zod/mini'
import { MAX_BULK_FILE_BYTES, MAX_BULK_FILES } from '../limits.ts'
import { endpoint } from './endpoint.ts'
import { OperationHeaders } from './operation.ts'
import { JobError } from './jobs.ts'

/** One line of JSON (`BulkHead`, ended by a line feed), then the bytes of its files, one after the other. */
export const BULK_MEDIA_TYPE = 'application/vnd.satchel.bulk'

export const BulkFile = z.object({
  path: z.string().check(z.minLength(1)),
  /** Bytes. */
  size: z.number().check(z.int(), z.minimum(0), z.maximum(MAX_BULK_FILE_BYTES)),
  /** Last change in milliseconds since 1970; the current time if absent. */
  modified: z.optional(z.number().check(z.int(), z.minimum(-1e14), z.maximum(1e14))),
  /** As with `resources.upload`. */
  override: z._default(z.boolean(), false),
})
export type BulkFile = z.infer<typeof BulkFile>

export const BulkHead = z.object({ files: z.array(BulkFile).check(z.minLength(1), z.maxLength(MAX_BULK_FILES)) })

export const bulk = {
  /**
   * Many small files in one request, each as if `resources.upload` had been called for it, independently of the others. Returns for each, in order,
   * null or why it was not stored.
   */
  upload: endpoint('user', 'POST /api/bulk', {
    needs: ['create'],
    headers: OperationHeaders,
    body: 'bytes',
    result: z.object({ failures: z.array(z.nullable(JobError)) }),
  }),
}

/** The first line, before the bytes. */
export function bulkHead(files: readonly z.input<typeof BulkFile>[]): string {
  return `${JSON.stringify({ files })}\n`
}

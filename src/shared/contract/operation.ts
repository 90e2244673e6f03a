import * as z from 'zod/mini'
import { OPERATION_HEADER } from './operation-header.ts'

export const OperationHeaders = z.object({
  [OPERATION_HEADER]: z.optional(z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))),
})

/** Of a query: only the exact word `true` counts. */
export const flag = z.pipe(
  z.optional(z.string()),
  z.transform((text) => text === 'true'),
)

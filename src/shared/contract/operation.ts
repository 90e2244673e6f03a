import * as z from 'zod/mini'

/**
 * The gesture that an operation belongs to, a UUID. In an answer: something was changed, or will be by a job, and can be undone by it
 * (`operations.undo`). In a request: several requests of one user become one gesture. Answers to visitors have none.
 */
export const OPERATION_HEADER = 'x-satchel-operation'

export const OperationHeaders = z.object({
  [OPERATION_HEADER]: z.optional(z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))),
})

/** Of a query: only the exact word `true` counts. */
export const flag = z.pipe(
  z.optional(z.string()),
  z.transform((text) => text === 'true'),
)

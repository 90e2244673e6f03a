import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Subject } from './groups.ts'

/** Bytes, or files and folders together. `used` also counts what is reserved for uploads that have not ended; null while it is being counted. */
const Limit = z.object({ limit: z.number(), used: z.nullable(z.number()) })

/** Null where there is no limit. */
const limits = { bytes: z.nullable(Limit), files: z.nullable(Limit) }

export const Quota = z.object({ who: Subject, ...limits })
export type Quota = z.infer<typeof Quota>

/** A quota that limits the caller. The name is that of a group, otherwise empty. */
export const OwnQuota = z.object({ kind: Subject.shape.kind, name: z.string(), ...limits })
export type OwnQuota = z.infer<typeof OwnQuota>

const most = z.nullable(z.number().check(z.int(), z.nonnegative(), z.maximum(Number.MAX_SAFE_INTEGER)))

/**
 * Limits of what may lie in the folder of an account, in the folders of the members of a group, and in all that is served. Only what the account, a
 * member, or anybody adds is refused: with 507 and `quota-exceeded`.
 */
export const quotas = {
  list: endpoint('admin', 'GET /api/quotas', { result: z.array(Quota) }),
  /** In bytes, and as a number of files and folders. Null for no limit; without both the quota is removed. Nothing is deleted. */
  set: endpoint('admin', 'PUT /api/quotas', { body: z.strictObject({ who: Subject, bytes: most, files: most }), result: 'empty' }),
  /** Reads the disk again; answers when that is done. */
  count: endpoint('admin', 'POST /api/quotas/count', { body: z.strictObject({ who: Subject }), result: Quota }),
  mine: endpoint('user', 'GET /api/quotas/mine', { result: z.array(OwnQuota) }),
}

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** A lock that a program made by WebDAV. */
export const FileLock = z.object({
  /** What is locked: the file itself, a folder above it with everything in it, or something in the folder. */
  path: z.string(),
  /** Name of the account; a lock is removed by its holder and by administrators. */
  holder: z.string(),
  mine: z.boolean(),
  /** Others may lock it at the same time, and nobody else may change it. */
  shared: z.boolean(),
  /** With everything below it. */
  deep: z.boolean(),
  /** ISO 8601. */
  since: z.string(),
  /** ISO 8601. It is renewed by the program that made it. */
  until: z.string(),
})
export type FileLock = z.infer<typeof FileLock>

/** Locks that programs made by WebDAV: nobody else can change what is locked, in whatever way. */
export const locks = {
  /** Those that keep a file or folder from being changed, as far as the viewer may see what they are for; the oldest first. */
  list: endpoint('user', 'GET /api/locks/*path', { result: z.array(FileLock) }),
  /** Removes them: one's own, for administrators everybody's. Fails with `forbidden`, and removes none, if another one is among them. */
  remove: endpoint('user', 'DELETE /api/locks/*path', { result: 'empty' }),
}

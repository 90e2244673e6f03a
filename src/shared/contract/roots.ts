import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** One of the folders that are served. */
export const Root = z.object({
  /** Its folder's name in the top folder; empty for the main one, which is the top folder itself. */
  name: z.string(),
  kind: z.enum(['local', 's3']),
  /** As the operator wrote it: a path of the server. */
  address: z.string(),
  readOnly: z.boolean(),
  /** `away`: its disk is not connected, or another folder is where it was. */
  state: z.enum(['connected', 'away']),
  /** Of its file system, in bytes; null if unknown. */
  total: z.nullable(z.number()),
  used: z.nullable(z.number()),
})
export type Root = z.infer<typeof Root>

export const roots = {
  /** The main one first. The operator adds them: by the setting `roots`. */
  list: endpoint('admin', 'GET /api/roots', { result: z.array(Root) }),
}

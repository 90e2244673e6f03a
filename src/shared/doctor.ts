import * as z from 'zod/mini'

/** Contains the pass by which `satchel doctor` asks a server how its request arrived. */
export const DOCTOR_HEADER = 'x-satchel-doctor'

/** A request as the server received it, behind any proxies. */
export const SeenRequest = z.object({
  /** The client's address, as the server sees it; null on a unix socket. */
  address: z.nullable(z.string()),
  /** Whether the server considers the client's connection to be TLS. */
  secure: z.boolean(),
  /** Whether the other end of the connection is a trusted proxy. */
  trusted: z.boolean(),
  host: z.string(),
  /** Trusted forwarding headers; those of others were removed. */
  forwarded: z.record(z.string(), z.string()),
})
export type SeenRequest = z.infer<typeof SeenRequest>

import * as z from 'zod/mini'

/** Carries the pass by which `satchel doctor` asks a server what it sees. */
export const DOCTOR_HEADER = 'x-satchel-doctor'

/** A request as the server took it, after whatever stands in front of it. */
export const SeenRequest = z.object({
  /** The client's, as the server believes it; null on a unix socket. */
  address: z.nullable(z.string()),
  /** Whether the server takes the client's connection for TLS. */
  secure: z.boolean(),
  /** Whether the other end of the connection is a trusted proxy. */
  trusted: z.boolean(),
  host: z.string(),
  /** Forwarding headers that were believed; those of anybody else are dropped before. */
  forwarded: z.record(z.string(), z.string()),
})
export type SeenRequest = z.infer<typeof SeenRequest>

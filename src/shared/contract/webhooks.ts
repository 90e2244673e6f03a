import * as z from 'zod/mini'
import { HookRun } from './command.ts'
import { endpoint } from './endpoint.ts'
import { OPERATION_KINDS } from './operations.ts'

/** Events, named like the corresponding hooks; `history` is everything that the journal knows, a gesture at a time. */
export const WEBHOOK_EVENTS = ['after_upload', 'after_save', 'after_copy', 'after_rename', 'after_delete', 'history'] as const

/** One change of one node, by paths from the served folder. `path`: where it was afterwards, of a deletion before; `origin`: of moves and copies. */
const HistoryChange = z.object({
  id: z.string(),
  kind: z.enum(OPERATION_KINDS),
  path: z.string(),
  origin: z.nullable(z.string()),
  isDir: z.boolean(),
  size: z.nullable(z.number()),
  /** The change that this one took back. */
  reverts: z.nullable(z.string()),
})

const WebhookInput = z.object({
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  enabled: z.boolean(),
  /** The caller's password: the destination of notifications is a sensitive setting. */
  current_password: z.optional(z.string()),
})

/** Its secret is returned once, by the call that creates it, and never again. */
export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  enabled: z.boolean(),
  /** Milliseconds since 1970. */
  created: z.number(),
})
export type Webhook = z.infer<typeof Webhook>

export const WebhookDelivery = z.extend(HookRun, { url: z.string() })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/** The header with the time of the attempt (seconds since 1970) and HMAC-SHA256 of `<time>.<body>` by the secret, hex: `t=…,v1=…`. */
export const SIGNATURE_HEADER = 'x-satchel-signature'

/** The body of a delivery. A retry has the same `id`. */
export const WebhookBody = z.object({
  id: z.string(),
  event: z.enum([...WEBHOOK_EVENTS, 'test']),
  /** Null for a visitor of a share. */
  user: z.nullable(z.object({ id: z.number(), name: z.string() })),
  /** The user's path, from the root of their scope; of `history` that of the first change, from the served folder. */
  path: z.string(),
  /** For a copy or a rename. */
  destination: z.nullable(z.string()),
  /** When it was done: ISO 8601, in UTC. */
  time: z.string(),
  /** Of `history`: the gesture, by which way it was done, and what it changed, the first 100; a longer one has several deliveries. */
  gesture: z.optional(z.string()),
  via: z.optional(z.string()),
  changes: z.optional(z.array(HistoryChange)),
})
export type WebhookBody = z.infer<typeof WebhookBody>

export const webhooks = {
  list: endpoint('admin', 'GET /api/webhooks', {
    /** The latest deliveries, newest first. */
    result: z.object({ hooks: z.array(Webhook), deliveries: z.array(WebhookDelivery) }),
  }),
  create: endpoint('admin', 'POST /api/webhooks', { body: WebhookInput, result: z.object({ hook: Webhook, secret: z.string() }) }),
  /** `renew` creates a new secret; the old one is invalid from then on. @see WebhookInput */
  update: endpoint('admin', 'PUT /api/webhooks/:id', {
    body: z.extend(WebhookInput, { renew: z._default(z.boolean(), false) }),
    result: z.object({ hook: Webhook, secret: z.nullable(z.string()) }),
  }),
  remove: endpoint('admin', 'DELETE /api/webhooks/:id', { result: 'empty' }),
  test: endpoint('admin', 'POST /api/webhooks/:id/test', { result: z.object({ well: z.boolean(), report: z.string() }) }),
}

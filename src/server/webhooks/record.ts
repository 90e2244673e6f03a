import * as z from 'zod/mini'
import { WEBHOOK_EVENTS } from '../../shared/contract/webhooks.ts'
import type { Reach } from './reach.ts'
import type { StoredWebhook } from './store.ts'
import { issueTexts } from '../../shared/errors.ts'

export const MOST_WEBHOOKS = 20
const MAX_URL_CHARS = 2000

/** A webhook in a settings file, with its secret. */
const WebhookRecord = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  enabled: z.boolean(),
  secret: z.string().check(z.minLength(1)),
  /** Milliseconds since 1970. */
  created: z.int(),
})
type WebhookRecord = z.infer<typeof WebhookRecord>

export function toRecord({ id, url, events, enabled, secret, createdAt }: StoredWebhook): WebhookRecord {
  return { id, url, events: [...events], enabled, secret, created: createdAt.getTime() }
}

/** The webhooks of a settings file, or what is wrong with them. */
export function readRecords(given: unknown, reach: Pick<Reach, 'problemOf'>): { hooks: readonly StoredWebhook[] } | { issues: string[] } {
  const parsed = z.safeParse(z.array(WebhookRecord), given)
  if (!parsed.success) return { issues: issueTexts(parsed.error) }
  const ids = new Set(parsed.data.map(({ id }) => id))
  const issues = [
    ...(parsed.data.length > MOST_WEBHOOKS ? [`no more than ${MOST_WEBHOOKS}`] : []),
    ...(ids.size < parsed.data.length ? ['two have the same id'] : []),
    ...parsed.data.flatMap(({ url }, at) => {
      const problem = urlProblem(url, reach)
      return problem === null ? [] : [`${at}.url: ${problem}`]
    }),
  ]
  if (issues.length > 0) return { issues }
  return { hooks: parsed.data.map(({ created, ...hook }) => ({ ...hook, createdAt: new Date(created) })) }
}

/** Why a URL cannot be used, as far as this is known without resolving it; null if nothing is wrong. */
export function urlProblem(url: string, reach: Pick<Reach, 'problemOf'>): string | null {
  return url.length > MAX_URL_CHARS ? 'too long' : reach.problemOf(url)
}

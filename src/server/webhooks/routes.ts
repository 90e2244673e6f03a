import { randomBytes, randomUUID } from 'node:crypto'
import { webhooks as calls, type Webhook, type WebhookDelivery } from '../../shared/contract/webhooks.ts'
import { fail } from '../../shared/errors.ts'
import { performerOf, type Viewer } from '../access/viewer.ts'
import type { Bus } from '../bus/bus.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { type OutboxJob, type Outbox, runOf } from '../jobs/outbox.ts'
import type { Reach } from './reach.ts'
import { MOST_WEBHOOKS, urlProblem } from './record.ts'
import type { StoredWebhook, WebhookStore } from './store.ts'
import { WEBHOOK_JOB, type Webhooks, WebhookTask } from './webhooks.ts'

export interface WebhookRoutesDeps {
  readonly store: WebhookStore
  readonly webhooks: Webhooks
  readonly reach: Reach
  readonly outbox: Pick<Outbox, 'latest'>
  readonly clock: () => Date
  readonly bus: Bus
  /** Fails with `proof-needed` unless the caller has proven their identity recently, or does so now. */
  readonly requireProof: (caller: { viewer: Viewer; address: string | null; password: string | undefined }) => Promise<void>
}

const SECRET_BYTES = 32
const DELIVERIES_SHOWN = 50

export function mountWebhooks(app: Router, { store, webhooks, reach, outbox, clock, bus, requireProof }: WebhookRoutesDeps): void {
  const found = async (id: string): Promise<StoredWebhook> => (await store.find(id)) ?? fail('not-found', {})

  /** For the audit trail; contains no secret. */
  function note({ viewer, peer }: { viewer: Viewer; peer: string | null }, change: Change): void {
    const { before, after } = change
    const [was, is] = [before === null ? null : auditSummary(before), after === null ? null : auditSummary(after)]
    const secret = change.renewed ? [{ place: 'secret', before: null, after: null }] : []
    bus.announce('noted', {
      kind: 'webhooks-changed',
      by: performerOf(viewer),
      address: peer,
      subject: new URL((after ?? before).url).host,
      details: [{ place: 'webhook', before: was, after: is }, ...secret],
    })
  }

  function check(url: string): void {
    const problem = urlProblem(url, reach)
    if (problem !== null) fail('invalid-input', { issues: [`url: ${problem}`] })
  }

  mount(app, calls.list, async () => ({
    hooks: (await store.all()).map(toWire),
    deliveries: (await outbox.latest(WEBHOOK_JOB, DELIVERIES_SHOWN)).map(deliveryOf),
  }))

  mount(app, calls.create, async ({ body: { url, events, enabled, current_password }, viewer, peer }) => {
    check(url)
    if ((await store.all()).length >= MOST_WEBHOOKS) fail('invalid-input', { issues: [`webhooks: no more than ${MOST_WEBHOOKS}`] })
    await requireProof({ viewer, address: peer, password: current_password })
    const hook = { id: randomUUID(), url, events, enabled, secret: newSecret(), createdAt: clock() }
    await store.put(hook)
    note({ viewer, peer }, { before: null, after: hook })
    return { hook: toWire(hook), secret: hook.secret }
  })

  mount(app, calls.update, async ({ params: { id }, body: { url, events, enabled, renew, current_password }, viewer, peer }) => {
    const before = await found(id)
    check(url)
    if (url !== before.url || renew) await requireProof({ viewer, address: peer, password: current_password })
    const hook = { ...before, url, events, enabled, secret: renew ? newSecret() : before.secret }
    await store.put(hook)
    note({ viewer, peer }, { before, after: hook, renewed: renew })
    return { hook: toWire(hook), secret: renew ? hook.secret : null }
  })

  mount(app, calls.remove, async ({ params: { id }, viewer, peer }) => {
    const before = await found(id)
    await store.remove(id)
    note({ viewer, peer }, { before, after: null })
    return undefined
  })

  mount(app, calls.test, async ({ params: { id }, viewer: { userId, username } }) =>
    webhooks.test(await found(id), { id: userId, name: username }),
  )
}

type Change = { readonly renewed?: boolean } & (
  | { readonly before: StoredWebhook | null; readonly after: StoredWebhook }
  | { readonly before: StoredWebhook; readonly after: null }
)

/** Without path and query, which are secrets with many services. */
function auditSummary({ url, events, enabled }: StoredWebhook): string {
  return `${enabled ? events.join(' ') : 'off'} to ${new URL(url).host}`
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** Field by field: other fields are never returned (invariant I15). */
function toWire({ id, url, events, enabled, createdAt }: StoredWebhook): Webhook {
  return { id, url, events: [...events], enabled, created: createdAt.getTime() }
}

function deliveryOf(job: OutboxJob): WebhookDelivery {
  const { url, body } = WebhookTask.parse(JSON.parse(job.task))
  return { ...runOf(job), url, event: body.event, username: body.user?.name ?? '', path: body.path }
}

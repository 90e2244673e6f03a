import { createHmac, randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { SIGNATURE_HEADER, WebhookBody } from '../../shared/contract/webhooks.ts'
import { inScope } from '../access/access.ts'
import type { Observer } from '../drive/observed-drive.ts'
import type { Operation } from '../drive/operation.ts'
import type { Outbox } from '../jobs/outbox.ts'
import type { JobHandler } from '../jobs/outbox-worker.ts'
import { post } from './post.ts'
import { type Reach, Unreachable } from './reach.ts'
import type { StoredWebhook, WebhookStore } from './store.ts'

export const WEBHOOK_JOB = 'webhook'
/** About an hour from the first attempt to the last. */
const MOST_ATTEMPTS = 8
/** Time limit of an attempt, including name resolution and handshake. */
const ATTEMPT_MS = 10_000
/** After a timeout, no deliveries are sent to that webhook for this long, which is less than any retry delay, so that others get their turn. */
const PAUSE_MS = 20_000
/** Maximum waiting deliveries; more means that the receivers have failed for a long time. */
export const MOST_WAITING = 10_000
/** How many are added between two counts. */
const COUNT_EVERY = 1000

/** One delivery. The id in its body is the job's, so that a receiver recognises a retry. */
export const WebhookTask = z.object({ hook: z.string(), url: z.string(), body: z.omit(WebhookBody, { id: true }) })
export type WebhookTask = z.infer<typeof WebhookTask>

export interface WebhooksDeps {
  readonly store: Pick<WebhookStore, 'all' | 'find'>
  readonly outbox: Pick<Outbox, 'add' | 'waiting'>
  readonly reach: Reach
  readonly wake: () => void
  readonly clock: () => Date
  readonly log: (line: string) => void
  /** For tests: the timeout of an attempt. */
  readonly attemptMs?: number
}

export interface Webhooks {
  readonly observer: Observer
  readonly perform: JobHandler
  test(hook: StoredWebhook, user: { id: number; name: string }): Promise<{ well: boolean; report: string }>
}

/**
 * Notifies other machines of file operations. No operation waits for it: each delivery is a job, retried until it succeeds or has failed too often.
 */
export function createWebhooks({ store, outbox, reach, wake, clock, log, attemptMs = ATTEMPT_MS }: WebhooksDeps): Webhooks {
  /** By webhook id, until when. */
  const pausedUntil = new Map<string, number>()
  let room = 0
  let isFull = false

  /** Undeliverable notifications must not fill the disk; the log says so once. */
  async function takeRoom(): Promise<boolean> {
    if (room <= 0) room = Math.min(COUNT_EVERY, MOST_WAITING - (await outbox.waiting(WEBHOOK_JOB)))
    if (room <= 0 && !isFull) log(`webhooks: ${MOST_WAITING} deliveries wait already, more are not kept`)
    isFull = room <= 0
    return room-- > 0
  }

  async function deliver(hook: StoredWebhook, body: WebhookBody, signal: AbortSignal): Promise<{ well: boolean; report: string }> {
    const text = JSON.stringify(body)
    try {
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(attemptMs)])
      const target = await inTime(reach.targetOf(hook.url), bounded)
      const status = await post(target, { headers: headersOf(hook, body, text), body: text, signal: bounded })
      const well = status >= 200 && status < 300
      const redirects = status >= 300 && status < 400 ? '; redirects are not followed' : ''
      return { well, report: `status ${status}${redirects}` }
    } catch (error) {
      if (isTimeout(error)) pausedUntil.set(hook.id, clock().getTime() + PAUSE_MS)
      return { well: false, report: error instanceof Unreachable ? error.message : reasonOf(error, attemptMs) }
    }
  }

  function headersOf({ secret }: StoredWebhook, { id, event }: WebhookBody, text: string): Record<string, string> {
    const time = Math.floor(clock().getTime() / 1000)
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Satchel',
      'x-satchel-event': event,
      'x-satchel-delivery': id,
      [SIGNATURE_HEADER]: `t=${time},v1=${signature}`,
    }
  }

  return {
    observer: {
      async after(operation) {
        const body = bodyOf(operation, clock())
        const hooks = (await store.all()).filter(({ enabled, events }) => enabled && events.some((event) => event === body.event))
        for (const { id, url } of hooks) {
          if (!(await takeRoom())) return
          await outbox.add(WEBHOOK_JOB, JSON.stringify({ hook: id, url, body } satisfies WebhookTask), { dueInMs: 0 })
        }
        if (hooks.length > 0) wake()
      },
    },

    async perform({ id, task }, signal) {
      const { hook: hookId, body } = WebhookTask.parse(JSON.parse(task))
      const hook = await store.find(hookId)
      if (hook === null || !hook.enabled) return { done: true, report: 'switched off or removed meanwhile' }
      if ((pausedUntil.get(hookId) ?? 0) > clock().getTime())
        return { done: false, report: 'not tried: there was no answer a moment ago', maxAttempts: MOST_ATTEMPTS }
      const { well, report } = await deliver(hook, { id, ...body }, signal)
      log(`webhook ${body.event} to ${new URL(hook.url).host}: ${well ? 'done' : 'failed'}: ${report}`)
      return { done: well, report, maxAttempts: MOST_ATTEMPTS }
    },

    test(hook, user) {
      const body = { id: randomUUID(), event: 'test', user, path: '/', destination: null, time: clock().toISOString() } as const
      return deliver(hook, body, new AbortController().signal)
    },
  }
}

function bodyOf(operation: Operation, now: Date): Omit<WebhookBody, 'id'> {
  const isTransfer = operation.kind === 'copy' || operation.kind === 'rename'
  return {
    event: `after_${operation.kind === 'restore' ? 'upload' : operation.kind}`,
    user: operation.user && { id: operation.user.id, name: operation.user.name },
    path: inScope(operation.access, isTransfer ? operation.from : operation.path),
    destination: isTransfer ? inScope(operation.access, operation.to) : null,
    time: now.toISOString(),
  }
}

/** Name resolution cannot be aborted; its result is ignored. */
function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
    if (signal.aborted) late()
    signal.addEventListener('abort', late, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', late))
  })
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

function reasonOf(error: unknown, attemptMs: number): string {
  if (isTimeout(error)) return `no answer within ${attemptMs / 1000} seconds`
  return error instanceof Error ? error.message : String(error)
}

import { fail } from '../../shared/errors.ts'
import { subjectFrom } from '../../shared/subject-key.ts'
import { createLosses } from './losses.ts'
import { type Amount, NOTHING, type Part, type QuotaStore, type Refusal } from './store.ts'

/** If a server is silent for this long, it has died. */
const LEASE_MS = 60_000
const RENEW_MS = 15_000
/** Who adds something waits for a count at most so long. */
const WAIT_MS = 20_000
const MOST_TRIES = 4

export interface AccountingDeps {
  readonly store: QuotaStore
  readonly clock: () => Date
  readonly log: (line: string) => void
  /** Counts a quota, or waits for a count that is running. */
  readonly count: (subject: string) => Promise<void>
}

export interface BeginOptions {
  /** The disk is changed a moment later, without `begin` being called again. */
  readonly isPublishing: boolean
  readonly from?: string | undefined
}

export type Accounting = ReturnType<typeof createAccounting>

/**
 * Changes of what quotas count: a row before the disk is changed, which reserves what is needed, and the new sum afterwards. If this server dies in
 * between, the quotas are counted anew.
 */
export function createAccounting({ store, clock, log, count }: AccountingDeps) {
  const server = crypto.randomUUID()
  const running = new Set<string>()
  let timer: Timer | null = null
  const lease = () => ({ server, until: clock().getTime() + LEASE_MS })

  function watch(id: string): void {
    running.add(id)
    timer ??= setInterval(() => {
      if (running.size > 0) return void store.renew(server, lease().until).catch((error: unknown) => log(`quotas: ${String(error)}`))
      if (timer !== null) clearInterval(timer)
      timer = null
    }, RENEW_MS)
    timer.unref()
  }

  const losses = createLosses({
    log,
    async open(id, subjects) {
      watch(id)
      await store.open(id, partsOf({ limiting: [], counting: subjects }, NOTHING), { lease: lease(), isPublishing: true })
    },
    settle: (id, subjects, amount) => settle(id, partsOf({ limiting: [], counting: subjects }, amount)),
    spoil: (subjects) => store.markStale(subjects),
  })

  async function settle(id: string, parts: readonly Part[]): Promise<void> {
    running.delete(id)
    await store.settle(id, parts)
  }

  async function refused(refusal: Exclude<Refusal, { what: 'uncounted' }>): Promise<never> {
    const { subject, what, limit, used } = refusal
    const { kind, id } = subjectFrom(subject)
    const name = kind === 'group' ? await store.groupName(id) : ''
    return fail('quota-exceeded', { of: kind, name, what, limit, used })
  }

  /** What was removed a moment ago counts no more before anybody is refused. */
  async function open(id: string, parts: readonly Part[], options: Parameters<QuotaStore['open']>[2]): Promise<void> {
    for (let tries = 1; ; tries++) {
      const refusal = await store.open(id, parts, options)
      if (refusal === null) return
      if (refusal.what === 'uncounted') {
        if (tries === MOST_TRIES) fail('busy', {})
        await within(WAIT_MS, count(refusal.subject))
        continue
      }
      if (tries > 1 || !(losses.isWaiting() || refusal.isStale)) return refused(refusal)
      await within(WAIT_MS, losses.settled())
      if (refusal.isStale) await within(WAIT_MS, count(refusal.subject))
    }
  }

  return {
    /** Room for an upload. It stays reserved as long as the upload is not finished. Fails with `quota-exceeded`. */
    async reserveUpload(id: string, parts: readonly Part[]): Promise<void> {
      await open(id, parts, { lease: null, isPublishing: false })
    },

    /** Begins a change, or reserves another amount for one that was begun. Fails with `quota-exceeded`; then nothing has changed. */
    async begin(id: string, parts: readonly Part[], { isPublishing, from }: BeginOptions): Promise<void> {
      const isNew = !running.has(id)
      watch(id)
      try {
        await open(id, parts, { lease: lease(), isPublishing, from })
      } catch (error) {
        if (isNew) running.delete(id)
        throw error
      }
    },

    /** A change that has been made. */
    settle,

    /** Nothing was changed. */
    async release(id: string): Promise<void> {
      running.delete(id)
      await store.release(id)
    },

    /** Nothing was changed, and the upload will be published later. */
    async wait(id: string): Promise<void> {
      running.delete(id)
      await store.wait(id)
    },

    losses,

    /** When everything that was removed is counted. */
    settled: () => losses.settled(),

    async stop(): Promise<void> {
      await losses.settled()
      if (timer !== null) clearInterval(timer)
      timer = null
    },
  }
}

/**
 * What a change adds to the quotas that it concerns.
 * @param concerned.limiting those that refuse it if there is no room
 * @param concerned.counting those that count it
 */
export function partsOf({ limiting, counting }: { limiting: readonly string[]; counting: readonly string[] }, amount: Amount): Part[] {
  const subjects = [...new Set([...limiting, ...counting])]
  return subjects.map((subject) => ({
    subject,
    bytes: amount.bytes,
    files: amount.files,
    isLimited: limiting.includes(subject),
    isCounted: counting.includes(subject),
  }))
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: Timer | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, ms, 'late')
  })
  try {
    if ((await Promise.race([work, late])) === 'late') fail('busy', {})
  } finally {
    clearTimeout(timer)
  }
}

import { fail } from '../../shared/errors.ts'
import { subjectFrom } from '../../shared/subject-key.ts'
import { createLosses } from './losses.ts'
import { type Amount, NOTHING, type OpenChange, type Part, type QuotaStore, type Refusal, type Replaced } from './store.ts'

/** If a server is silent for this long, it has died. */
const LEASE_MS = 60_000
const RENEW_MS = 15_000
/** A change that adds something waits at most this long for a count. */
const WAIT_MS = 20_000
const MOST_TRIES = 4
const SETTLED_AFTER_MS = 50
const MOST_WAITING = 500

export interface AccountingDeps {
  readonly store: QuotaStore
  readonly clock: () => Date
  readonly log: (line: string) => void
  /** Counts a quota, or waits for a count that is running. */
  readonly count: (subject: string) => Promise<void>
  /** What these quotas count has changed. */
  readonly onSettled: (subjects: readonly string[]) => void
}

export interface BeginOptions {
  /** The disk is changed a moment later, without `begin` being called again. */
  readonly isPublishing: boolean
  readonly from?: string | undefined
  readonly replaces?: Replaced | undefined
}

export type Accounting = ReturnType<typeof createAccounting>

/**
 * Changes of what quotas count: a row before the disk is changed, which reserves what is needed, and the new sum afterwards. If this server dies in
 * between, the quotas are counted anew.
 */
export function createAccounting({ store, clock, log, count, onSettled }: AccountingDeps) {
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
      await opening({ id, parts: partsOf({ limiting: [], counting: subjects }, NOTHING), lease: lease(), isPublishing: true })
    },
    async settle(id, subjects, amount) {
      settle(id, partsOf({ limiting: [], counting: subjects }, amount))
    },
    spoil: (subjects) => store.markStale(subjects),
  })

  /** Changes that begin at the same time are written together. */
  let beginning: OpenChange[] = []
  let begun: Promise<(Refusal | null)[]> | null = null

  async function opening(change: OpenChange): Promise<Refusal | null> {
    begun ??= new Promise<void>((resolve) => void setImmediate(resolve)).then(() => {
      const changes = beginning
      beginning = []
      begun = null
      return store.open(changes)
    })
    const row = beginning.push(change) - 1
    return (await begun)[row] ?? null
  }

  /** Until a change is settled, it counts by what it reserved: nobody waits for it. */
  let ended: { id: string; parts: readonly Part[] }[] = []
  let settling: Promise<void> = Promise.resolve()
  let settleTimer: Timer | null = null

  function flush(): Promise<void> {
    if (settleTimer !== null) clearTimeout(settleTimer)
    settleTimer = null
    const changes = ended
    ended = []
    if (changes.length === 0) return settling
    settling = settling
      .then(() => store.settle(changes))
      .then(() => onSettled(changes.flatMap(({ parts }) => parts.flatMap(({ subject, isCounted }) => (isCounted ? [subject] : [])))))
      // The rows that are left say that the quotas have to be counted.
      .catch((error: unknown) => log(`quotas: ${changes.length} changes will be counted later: ${String(error)}`))
    return settling
  }

  function settle(id: string, parts: readonly Part[]): void {
    running.delete(id)
    ended.push({ id, parts })
    if (ended.length >= MOST_WAITING) void flush()
    else settleTimer ??= setTimeout(() => void flush(), SETTLED_AFTER_MS)
  }

  async function settled(): Promise<void> {
    await losses.settled()
    await flush()
  }

  async function refused(refusal: Exclude<Refusal, { what: 'uncounted' }>, parts: readonly Part[]): Promise<never> {
    const { subject, what, limit, used } = refusal
    if (parts.some((part) => part.subject === subject && part.isHidden)) return fail('storage-full', {})
    const { kind, id } = subjectFrom(subject)
    const name = kind === 'group' ? await store.groupName(id) : ''
    return fail('quota-exceeded', { of: kind, name, what, limit, used })
  }

  /** What was removed a moment ago counts no more before anybody is refused. */
  async function open(change: OpenChange): Promise<void> {
    for (let tries = 1; ; tries++) {
      const refusal = await opening(change)
      if (refusal === null) return
      if (refusal.what === 'uncounted') {
        if (tries === MOST_TRIES) fail('busy', {})
        await within(WAIT_MS, count(refusal.subject))
        continue
      }
      if (tries > 1) return refused(refusal, change.parts)
      await within(WAIT_MS, settled())
      if (refusal.isStale) await within(WAIT_MS, count(refusal.subject))
    }
  }

  return {
    /**
     * Room for an upload, instead of what was reserved for it before. It stays reserved as long as the upload is not finished. Fails with
     * `quota-exceeded`, or with `storage-full` if the numbers of the quota are hidden; so do the others.
     */
    async reserveUpload(id: string, parts: readonly Part[], replaces?: Replaced): Promise<void> {
      await open({ id, parts, lease: null, isPublishing: false, replaces })
    },

    /** Fails as `reserveUpload` does, and reserves nothing. */
    async requireRoom(parts: readonly Part[]): Promise<void> {
      await open({ id: Bun.randomUUIDv7(), parts, lease: null, isPublishing: false, onlyChecks: true })
    },

    /** Begins a change, or reserves another amount for one that was begun. Fails with `quota-exceeded`; then nothing has changed. */
    async begin(id: string, parts: readonly Part[], { isPublishing, from, replaces }: BeginOptions): Promise<void> {
      const isNew = !running.has(id)
      watch(id)
      try {
        await open({ id, parts, lease: lease(), isPublishing, from, replaces })
      } catch (error) {
        if (isNew) running.delete(id)
        throw error
      }
    },

    /** A change that has been made. */
    settle,

    /** Nothing was changed. */
    release: (id: string): void => settle(id, []),

    /** Nothing was changed, and the upload will be published later. */
    async wait(id: string): Promise<void> {
      running.delete(id)
      await store.wait(id)
    },

    losses,

    /** When everything that was done is counted. */
    settled,

    async stop(): Promise<void> {
      await settled()
      if (timer !== null) clearInterval(timer)
      timer = null
    },
  }
}

/**
 * What a change adds to the quotas that it concerns.
 * @param concerned.limiting those that refuse it if there is no room
 * @param concerned.counting those that count it
 * @param concerned.hidden those whose numbers are not told
 */
export function partsOf({ limiting, counting, hidden = [] }: Concerned, amount: Amount): Part[] {
  const subjects = [...new Set([...limiting, ...counting])]
  return subjects.map((subject) => ({
    subject,
    bytes: amount.bytes,
    files: amount.files,
    isLimited: limiting.includes(subject),
    isHidden: hidden.includes(subject),
    isCounted: counting.includes(subject),
  }))
}

interface Concerned {
  readonly limiting: readonly string[]
  readonly counting: readonly string[]
  readonly hidden?: readonly string[]
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

import { createLru } from '../../shared/lru.ts'
import { createOrderedSemaphore, type Order, type Semaphore, type Waiter } from '../../shared/semaphore.ts'
import { networksOf } from './networks.ts'

/** What a computation is for. */
export interface QueueEntry {
  /** Sign-ins of people go first; visitors of links get the rest, and at least a quarter of the turns. */
  readonly priority: 'people' | 'links'
  /** The account or link. */
  readonly subject: string
  /** The client's address; null if there is none. */
  readonly address: string | null
}

/** Maximum waiting; more would only wait for their refusal. */
const MOST_PER_PRIORITY = 64
const MOST_PER_SUBJECT = 8
const MOST_PER_CLIENT = 16
/** After this many people in a row, a visitor of a link is served. */
const PEOPLE_IN_A_ROW = 3
/** Past service loses half of its weight in this time. */
const HALF_LIFE_MS = 10_000
/** Several people share a site, and more of them a provider. */
const WEIGHTS = { own: 1, site: 1 / 4, provider: 1 / 16 } as const
const MOST_KEYS = 10_000

/** One of the keys by which service is counted. */
interface Share {
  readonly key: string
  readonly weight: number
}

/**
 * Of the waiting tasks, the one whose account, link and network were served least recently goes first. Refuses a client with too many waiting requests,
 * and, if the queue is full, the clients served most.
 * @param slots concurrent computations; with two or more, links never take all of them
 */
export function createSignInQueue({ slots, clock = () => performance.now() }: SignInQueueOptions): Semaphore<QueueEntry> {
  return createOrderedSemaphore(signInOrder({ slots, clock }), { retryAfterSeconds: 1 })
}

export interface SignInQueueOptions {
  readonly slots: number
  /** Milliseconds. */
  readonly clock?: () => number
}

function signInOrder({ slots, clock }: Required<SignInQueueOptions>): Order<QueueEntry> {
  const waiting = new Set<Waiter<QueueEntry>>()
  const served = createLru<string, { amount: number; at: number }>(MOST_KEYS)
  const running = { people: 0, links: 0 }
  const mostLinks = Math.max(1, slots - 1)
  let peopleInARow = 0

  function amountOf(key: string): number {
    const known = served.peek(key)
    return known === undefined ? 0 : known.amount * 2 ** ((known.at - clock()) / HALF_LIFE_MS)
  }

  /** The recent service of the key that was served most among these. */
  const rankOf = ({ client }: Waiter<QueueEntry>): number => Math.max(...sharesOf(client).map(({ key, weight }) => amountOf(key) * weight))

  function withPriority(priority: QueueEntry['priority'], test: (turn: QueueEntry) => boolean = () => true): Waiter<QueueEntry>[] {
    return [...waiting].filter(({ client }) => client.priority === priority && test(client))
  }

  function leastServed(priority: QueueEntry['priority']): Waiter<QueueEntry> | null {
    const ranked = withPriority(priority).map((one) => ({ one, rank: rankOf(one) }))
    return (
      ranked.reduce<(typeof ranked)[number] | null>((least, one) => (least === null || one.rank < least.rank ? one : least), null)?.one ??
      null
    )
  }

  function chosen(): Waiter<QueueEntry> | null {
    const person = leastServed('people')
    const visitor = running.links >= mostLinks ? null : leastServed('links')
    const isVisitorsTurn = visitor !== null && (person === null || peopleInARow >= PEOPLE_IN_A_ROW)
    if (isVisitorsTurn || person === null) {
      peopleInARow = 0
      return visitor
    }
    peopleInARow += 1
    return person
  }

  /** One that was served more gives way. */
  function makeRoom(newcomer: Waiter<QueueEntry>): boolean {
    const { priority, subject, address } = newcomer.client
    if (withPriority(priority, (turn) => turn.subject === subject).length >= MOST_PER_SUBJECT) return false
    if (address !== null && withPriority(priority, (turn) => turn.address === address).length >= MOST_PER_CLIENT) return false
    const rivals = withPriority(priority)
    if (rivals.length < MOST_PER_PRIORITY) return true
    const worst = rivals.reduce((a, b) => (rankOf(b) >= rankOf(a) ? b : a))
    if (rankOf(worst) <= rankOf(newcomer)) return false
    worst.refuse()
    return true
  }

  return {
    hasSlot: ({ priority }) => running.people + running.links < slots && (priority === 'people' || running.links < mostLinks),
    started(turn) {
      running[turn.priority] += 1
      for (const { key } of sharesOf(turn)) {
        served.set(key, { amount: amountOf(key) + 1, at: clock() })
      }
    },
    ended({ priority }) {
      running[priority] -= 1
    },
    add(waiter) {
      const hasRoom = makeRoom(waiter)
      if (hasRoom) waiting.add(waiter)
      return hasRoom
    },
    remove: (waiter) => void waiting.delete(waiter),
    next() {
      const one = running.people + running.links < slots ? chosen() : null
      if (one !== null) waiting.delete(one)
      return one
    },
  }
}

const sharesKnown = new WeakMap<QueueEntry, readonly Share[]>()

function sharesOf(turn: QueueEntry): readonly Share[] {
  const shares = sharesKnown.get(turn) ?? keysOf(turn)
  sharesKnown.set(turn, shares)
  return shares
}

function keysOf({ subject, address }: QueueEntry): Share[] {
  const about = { key: `subject ${subject}`, weight: 1 }
  if (address === null) return [about]
  const { own, site, provider } = networksOf(address)
  return [
    about,
    { key: `own ${own}`, weight: WEIGHTS.own },
    { key: `site ${site}`, weight: WEIGHTS.site },
    { key: `provider ${provider}`, weight: WEIGHTS.provider },
  ]
}

import { AppError } from '../../shared/errors.ts'
import { networksOf } from './networks.ts'

/** On whose behalf something is computed. */
export interface QueueEntry {
  /** People who sign in go first; visitors of links get what they leave, and at least a quarter of the turns. */
  readonly lane: 'people' | 'links'
  /** The account or link that it is about. */
  readonly subject: string
  /** The client's address; null when there is none. */
  readonly address: string | null
}

export interface SignInQueue {
  /**
   * Waits for a free slot and runs `task` in it. Of those who wait, the one whose account, link and network were served least lately goes first.
   * Fails with `too-many-requests` for a client with too many requests waiting, and, when the queue is full, for the clients served most.
   */
  run<T>(turn: QueueEntry, task: () => Promise<T>): Promise<T>
  /** How much there is to do. */
  load(): { readonly running: number; readonly waiting: number }
}

/** Waiting at once; more of them would only wait for their refusal. */
const MOST_PER_LANE = 64
const MOST_PER_SUBJECT = 8
const MOST_PER_CLIENT = 16
/** After so many people in a row a visitor of a link is served. */
const PEOPLE_IN_A_ROW = 3
/** What was served counts half after this time. */
const HALF_LIFE_MS = 10_000
/** Several people share a site, and more of them a provider. */
const WEIGHTS = { own: 1, site: 1 / 4, provider: 1 / 16 } as const
const MOST_KEYS = 10_000

interface Waiting {
  readonly turn: QueueEntry
  readonly shares: readonly Share[]
  start(): void
  refuse(): void
}

/** One of the keys that service is counted by. */
interface Share {
  readonly key: string
  readonly weight: number
}

interface Served {
  amount: number
  at: number
}

/** @param slots how many run at once; with two or more, links never hold all of them */
export function createSignInQueue({ slots, clock = () => performance.now() }: { slots: number; clock?: () => number }): SignInQueue {
  const waiting: Waiting[] = []
  const served = new Map<string, Served>()
  const running = { people: 0, links: 0 }
  const mostLinks = Math.max(1, slots - 1)
  let peopleInARow = 0

  function amountOf(key: string): number {
    const known = served.get(key)
    return known === undefined ? 0 : known.amount * 2 ** ((known.at - clock()) / HALF_LIFE_MS)
  }

  /** The recent service of the key that was served most among these. */
  const rankOf = ({ shares }: Pick<Waiting, 'shares'>): number => Math.max(...shares.map(({ key, weight }) => amountOf(key) * weight))

  function count({ turn, shares }: Pick<Waiting, 'turn' | 'shares'>): void {
    running[turn.lane] += 1
    for (const { key } of shares) {
      const amount = amountOf(key) + 1
      // The key that was served longest ago is forgotten first.
      served.delete(key)
      served.set(key, { amount, at: clock() })
    }
    for (const oldest of served.keys()) {
      if (served.size <= MOST_KEYS) break
      served.delete(oldest)
    }
  }

  function best(lane: QueueEntry['lane']): Waiting | null {
    let found: { one: Waiting; rank: number } | null = null
    for (const one of waiting) {
      if (one.turn.lane !== lane) continue
      const rank = rankOf(one)
      if (found === null || rank < found.rank) found = { one, rank }
    }
    return found?.one ?? null
  }

  function next(): Waiting | null {
    if (running.people + running.links >= slots) return null
    const person = best('people')
    const visitor = running.links >= mostLinks ? null : best('links')
    const isVisitorsTurn = visitor !== null && (person === null || peopleInARow >= PEOPLE_IN_A_ROW)
    if (isVisitorsTurn || person === null) {
      peopleInARow = 0
      return visitor
    }
    peopleInARow += 1
    return person
  }

  function startNext(): void {
    for (let one = next(); one !== null; one = next()) {
      waiting.splice(waiting.indexOf(one), 1)
      count(one)
      one.start()
    }
  }

  /** Fails where there is no room for one more; somebody who was served more makes room. */
  function makeRoom(newcomer: Pick<Waiting, 'turn' | 'shares'>): void {
    const { lane, subject, address } = newcomer.turn
    const same = (test: (turn: QueueEntry) => boolean): number => waiting.filter(({ turn }) => turn.lane === lane && test(turn)).length
    if (same((turn) => turn.subject === subject) >= MOST_PER_SUBJECT) refuse()
    if (address !== null && same((turn) => turn.address === address) >= MOST_PER_CLIENT) refuse()
    if (same(() => true) < MOST_PER_LANE) return
    const worst = waiting.filter(({ turn }) => turn.lane === lane).reduce((a, b) => (rankOf(b) >= rankOf(a) ? b : a))
    if (rankOf(worst) <= rankOf(newcomer)) refuse()
    waiting.splice(waiting.indexOf(worst), 1)
    worst.refuse()
  }

  return {
    load: () => ({ running: running.people + running.links, waiting: waiting.length }),
    async run(turn, task) {
      const shares = sharesOf(turn)
      if (running.people + running.links < slots && (turn.lane === 'people' || running.links < mostLinks)) count({ turn, shares })
      else {
        makeRoom({ turn, shares })
        await new Promise<void>((start, reject) => {
          const tooMany = (): void => reject(refusal())
          waiting.push({ turn, shares, start, refuse: tooMany })
        })
      }
      try {
        return await task()
      } finally {
        running[turn.lane] -= 1
        startNext()
      }
    },
  }
}

function sharesOf({ subject, address }: QueueEntry): Share[] {
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

function refuse(): never {
  throw refusal()
}

function refusal(): AppError {
  return new AppError('too-many-requests', { retryAfterSeconds: 1 })
}

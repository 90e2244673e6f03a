import { readdirSync, readFileSync } from 'node:fs'

/** What multiplies must be met before it is many: the kernel's own limit does not hold where this server is root. */
const EVERY_MS = 10
/** Where the kernel's word about numbers is not its own (some containers), whoever is watched is counted after so many looks all the same. */
const CHECKS_PER_COUNT = 25

export interface ProcessLimit {
  /** Processes that one may have below it. */
  readonly most: number
  /** It has more; told once. */
  readonly onMore: () => void
}

interface Watched extends ProcessLimit {
  readonly pid: number
  /** At the last count. */
  processes: number
  /** The number that the kernel had given out last before that count. */
  number: number
  checks: number
}

export interface ProcessCounter {
  /** @returns ends it */
  watch(pid: number, options: ProcessLimit): () => void
}

/**
 * Watches how many processes others have started. Counting takes a look at each thread of each of them, so nobody is counted while the kernel
 * has given out fewer numbers since than would be needed to have too many.
 * @param lastNumber what the kernel says, for tests
 * @param count for tests as well
 */
export function createProcessCounter({ lastNumber = lastNumberGiven, count = countBelow } = {}): ProcessCounter {
  const all = new Set<Watched>()
  let timer: ReturnType<typeof setInterval> | undefined

  function check(): void {
    const number = lastNumber()
    for (const one of all) {
      const given = number - one.number
      const cannotBeMore = number !== 0 && given >= 0 && one.processes + given <= one.most
      if (cannotBeMore && ++one.checks < CHECKS_PER_COUNT) continue
      Object.assign(one, { processes: count(one.pid, one.most), number, checks: 0 })
      if (one.processes <= one.most) continue
      forget(one)
      one.onMore()
    }
  }

  function forget(one: Watched): void {
    all.delete(one)
    if (all.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    watch(pid, options) {
      // Counted at the first look.
      const one: Watched = { ...options, pid, processes: Infinity, number: 0, checks: 0 }
      all.add(one)
      timer ??= setInterval(check, EVERY_MS)
      return () => forget(one)
    },
  }
}

/** The last number that the kernel gave to a process or a thread: they count up, and begin again at the end; 0 where it does not say. */
function lastNumberGiven(): number {
  try {
    return Number(readFileSync('/proc/loadavg', 'utf8').trim().split(' ').at(-1)) || 0
  } catch {
    return 0
  }
}

/**
 * How many processes a process has started that are still there, and theirs. The kernel's own limit does not count those of root, and ours may
 * be root in a container; where the kernel lists no children this is 0.
 * @param atMost counting ends with one more
 */
export function countBelow(pid: number, atMost: number): number {
  return withDescendants(pid, atMost).length - 1
}

/** A process and what it has started, that is still there; where the kernel lists no children only the process itself. */
export function withDescendants(pid: number, atMost = Infinity): number[] {
  const found = [pid]
  for (const one of found) {
    if (found.length - 1 > atMost) break
    for (const child of childrenOf(one)) found.push(child)
  }
  return found
}

/** Of all its threads; none when it has ended. */
export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

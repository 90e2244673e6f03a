import { readdirSync, readFileSync } from 'node:fs'
import { orElse } from '../../shared/errors.ts'

/** A fork bomb must be noticed early: the kernel's own limit does not apply if this server is root. */
const EVERY_MS = 10
/** Where the kernel's pid counter is not reliable (some containers), processes are counted after this many checks anyway. */
const CHECKS_PER_COUNT = 25

export interface ProcessLimit {
  readonly most: number
  readonly onMore: () => void
}

interface Watched extends ProcessLimit {
  readonly pid: number
  /** At the last count. */
  processes: number
  /** The last pid that the kernel had assigned before that count. */
  number: number
  checks: number
}

/**
 * Limits how many processes a program may start. Counting reads each thread of each process, so nothing is counted while the kernel has assigned
 * fewer pids since then than the limit would need.
 * @param lastNumber the kernel's pid counter, replaceable for tests
 * @param count for tests as well
 */
export function createProcessCounter({ lastNumber = lastNumberGiven, count = countBelow } = {}) {
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
    /** @returns a function that stops watching */
    watch(pid: number, options: ProcessLimit): () => void {
      // Counted at the first check.
      const one: Watched = { ...options, pid, processes: Infinity, number: 0, checks: 0 }
      all.add(one)
      timer ??= setInterval(check, EVERY_MS)
      return () => forget(one)
    },
  }
}

/** The last number that the kernel assigned to a process or thread: ascending, and wrapping around; 0 if unknown. */
function lastNumberGiven(): number {
  return orElse(0, () => Number(readFileSync('/proc/loadavg', 'utf8').trim().split(' ').at(-1)) || 0)
}

/**
 * Number of running descendants of a process. The kernel's own limit does not apply to root, and we may be root in a container. Where the kernel does
 * not list children this is 0.
 * @param atMost counting stops one above
 */
export function countBelow(pid: number, atMost: number): number {
  return [...withDescendants(pid, atMost)].length - 1
}

/**
 * A process and its running descendants; where the kernel does not list children, only the process itself. Children are listed after their parent has
 * been dealt with: those that it starts later inherit what was changed.
 * @param atMost no more are listed when there are more descendants
 */
export function* withDescendants(pid: number, atMost = Infinity): Generator<number> {
  const found = [pid]
  for (const one of found) {
    yield one
    if (found.length - 1 <= atMost) found.push(...childrenOf(one))
  }
}

/** Children of all its threads; empty if it has ended. */
export function childrenOf(pid: number): number[] {
  return orElse([], () =>
    readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    ),
  )
}

import { readFileSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { createProcessCounter, withDescendants } from './process-counter.ts'
import { watchMemory } from './memory-watch.ts'
import type { Supervised } from './supervise.ts'
import type { Limits } from './sandbox.ts'
import { orElse } from '../../shared/errors.ts'

/** Of programs, as `nice` values, where a higher one is a lower priority. */
const BELOW_SERVER = 10
const LOWEST_PRIORITY = 19
/** When memory runs out, the kernel kills these first. */
const FIRST_TO_END = '1000'
/** For so long, a new process may not be listed yet and still have what its parent had before. */
const FORK_MS = 100

const processCounter = createProcessCounter()

/**
 * Enforces limits that the kernel does not have for groups of processes: their number, and their total memory. The program and its descendants have a
 * lower priority than this server when processors or memory are short.
 * @param options.own processes that do not belong to the program
 */
export function enforceLimits(pid: number, supervised: Supervised, { limits, own = 0 }: { limits: Limits; own?: number }): void {
  const stopPutting = keepLast(pid)
  const endMemory = watchMemory(pid, { most: limits.totalMemoryBytes, onMore: () => supervised.end('too-much-memory') })
  const stopCounting = processCounter.watch(pid, {
    most: limits.processes + own,
    onMore() {
      // Many processes take a while to end; no need to watch them meanwhile.
      endMemory()
      supervised.end('too-many-processes')
    },
  })
  void supervised.ended.then(() => [stopPutting, endMemory, stopCounting].forEach((end) => end()))
}

/** Until no process is found that has yet to be put last. @returns a function that stops it */
function keepLast(pid: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  function put(): void {
    if (putLast(pid)) timer = setTimeout(put, FORK_MS)
  }
  put()
  return () => clearTimeout(timer)
}

/** A process and its descendants, when processors or memory are short. @returns whether any was not yet */
function putLast(pid: number): boolean {
  const priority = programPriority()
  let isChanged = false
  for (const one of withDescendants(pid)) {
    const outOfMemoryScore = `/proc/${one}/oom_score_adj`
    // It may have ended already.
    orElse(null, () => {
      if (getPriority(one) >= priority) return
      setPriority(one, priority)
      isChanged = true
    })
    orElse(null, () => {
      if (readFileSync(outOfMemoryScore, 'utf8').trim() === FIRST_TO_END) return
      writeFileSync(outOfMemoryScore, FIRST_TO_END)
      isChanged = true
    })
  }
  return isChanged
}

/** The server has priority over the programs that it runs, however many there are. */
export function programPriority(): number {
  return Math.min(getPriority() + BELOW_SERVER, LOWEST_PRIORITY)
}

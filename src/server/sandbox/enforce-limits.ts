import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { createProcessCounter, withDescendants } from './process-counter.ts'
import { watchMemory } from './memory-watch.ts'
import type { Supervised } from './supervise.ts'
import type { Limits } from './sandbox.ts'
import { orElse } from '../../shared/errors.ts'

/** The server has priority over the programs that it runs, however many there are. */
const PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL

const processCounter = createProcessCounter()

/**
 * Enforces limits that the kernel does not have for groups of processes: their number, and their total memory. The program has a lower priority than
 * this server when processors or memory are short.
 * @param options.own processes that do not belong to the program
 */
export function enforceLimits(pid: number, supervised: Supervised, { limits, own = 0 }: { limits: Limits; own?: number }): void {
  // At once, because its children inherit this; then also for those that exist already.
  yieldToOthers(pid)
  endFirst(pid)
  for (const one of withDescendants(pid)) yieldToOthers(one)
  const endMemory = watchMemory(pid, { most: limits.totalMemoryBytes, onMore: () => supervised.end('too-much-memory') })
  const stopCounting = processCounter.watch(pid, {
    most: limits.processes + own,
    onMore() {
      // Many processes take a while to end; no need to watch them meanwhile.
      endMemory()
      supervised.end('too-many-processes')
    },
  })
  void supervised.ended.then(() => [endMemory, stopCounting].forEach((end) => end()))
}

/** It may have ended already, here and below. */
function yieldToOthers(pid: number): void {
  orElse(null, () => setPriority(pid, PRIORITY))
}

const FIRST_TO_END = '1000'

/** When memory runs out, the kernel kills these first: a process, and its present and future descendants. */
function endFirst(pid: number): void {
  for (const one of withDescendants(pid)) orElse(null, () => writeFileSync(`/proc/${one}/oom_score_adj`, FIRST_TO_END))
}

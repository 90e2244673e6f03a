import { constants, setPriority } from 'node:os'
import { createProcessCounter, withDescendants } from './process-counter.ts'
import { watchMemory } from './memory-watch.ts'
import { endFirst } from './oom-score.ts'
import type { Supervised } from './supervise.ts'
import type { Limits } from './sandbox.ts'

/** The server comes before the programs that it runs, however many they become. */
const PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL

const processCounter = createProcessCounter()

/**
 * Holds a program to what the kernel's limits for single processes do not hold: how many there are, and how much memory all of them use together. It
 * comes after this server where processors and memory are short.
 * @param options.own processes that are not the program's
 */
export function enforceLimits(pid: number, supervised: Supervised, { limits, own = 0 }: { limits: Limits; own?: number }): void {
  // At once, since what it starts inherits this; then also what it has started already.
  yieldToOthers(pid)
  endFirst(pid)
  for (const one of withDescendants(pid)) yieldToOthers(one)
  const endMemory = watchMemory(pid, { most: limits.totalMemoryBytes, onMore: () => supervised.end('too-much-memory') })
  const stopCounting = processCounter.watch(pid, {
    most: limits.processes + own,
    onMore() {
      // Many of them take a while to end, and nobody need look at them meanwhile.
      endMemory()
      supervised.end('too-many-processes')
    },
  })
  void supervised.ended.then(() => [endMemory, stopCounting].forEach((end) => end()))
}

function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, PRIORITY)
  } catch {
    // It has ended already.
  }
}

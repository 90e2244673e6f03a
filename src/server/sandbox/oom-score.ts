import { writeFileSync } from 'node:fs'
import { withDescendants } from './process-counter.ts'

const FIRST_TO_END = '1000'

/** When the machine has no memory left, the kernel ends these before any other: a process, and what it has started by now or starts later. */
export function endFirst(pid: number): void {
  for (const one of withDescendants(pid)) {
    try {
      writeFileSync(`/proc/${one}/oom_score_adj`, FIRST_TO_END)
    } catch {
      // It has ended already.
    }
  }
}

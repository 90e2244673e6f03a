import { writeFileSync } from 'node:fs'
import { withDescendants } from './process-counter.ts'

const FIRST_TO_END = '1000'

/** When memory runs out, the kernel kills these first: a process, and its present and future descendants. */
export function endFirst(pid: number): void {
  for (const one of withDescendants(pid)) {
    try {
      writeFileSync(`/proc/${one}/oom_score_adj`, FIRST_TO_END)
    } catch {
      // It has ended already.
    }
  }
}

import { readdirSync, readFileSync } from 'node:fs'

/**
 * How many processes a process has started that are still there, and theirs. The kernel's own limit does not count those of root, and ours may
 * be root in a container; where the kernel lists no children this is 0.
 * @param atMost counting ends with one more
 */
export function countBelow(pid: number, atMost: number): number {
  const found = [pid]
  for (const one of found) {
    if (found.length - 1 > atMost) break
    for (const child of childrenOf(one)) found.push(child)
  }
  return found.length - 1
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

import { readFileSync } from 'node:fs'
import { withDescendants } from './process-counter.ts'

/** As fast as processors of our time fill memory: what is far from its limit is looked at less often. */
const FILL_BYTES_PER_MS = 8 * 1024 ** 2
const SOONEST_MS = 10
const LATEST_MS = 250
/** A program with more is ended for their number. */
const MOST_PROCESSES = 128
/** A precise look takes a while with many pages. */
const AFTER_PRECISE_MS = 100

export interface MemoryWatchOptions {
  /** Bytes of a process and all below it. */
  readonly most: number
  /** They use more; told once. */
  readonly onMore: () => void
}

/**
 * Watches how much memory a process and all that it started really use together. Limits of the kernel hold for each process alone, and a group of its
 * own (a cgroup) is not everywhere to be had.
 * @returns ends it
 */
export function watchMemory(pid: number, { most, onMore }: MemoryWatchOptions): () => void {
  let timer = setTimeout(look, Math.min(LATEST_MS, most / FILL_BYTES_PER_MS))

  function look(): void {
    const pids = withDescendants(pid, MOST_PROCESSES)
    let used = sum(pids, ownBytes)
    const isPrecise = used > most
    // Pages that several of them share were counted for each.
    if (isPrecise) used = sum(pids, (one) => sharedOutBytes(one) ?? ownBytes(one))
    if (used > most) return onMore()
    const soonest = isPrecise ? AFTER_PRECISE_MS : SOONEST_MS
    timer = setTimeout(look, Math.min(LATEST_MS, Math.max(soonest, (most - used) / FILL_BYTES_PER_MS)))
  }

  return () => clearTimeout(timer)
}

/** What a process and all below it use, in bytes, shared pages counted once. */
export function memoryBelow(pid: number): number {
  return sum(withDescendants(pid), (one) => sharedOutBytes(one) ?? ownBytes(one))
}

/** Pages of its own and of shared memory; files that it maps can be dropped and do not count. */
function ownBytes(pid: number): number {
  return kilobytes(`/proc/${pid}/status`, ['RssAnon', 'RssShmem', 'VmSwap']) ?? 0
}

/** The same, with pages that others share counted in parts; null where the kernel does not say. */
function sharedOutBytes(pid: number): number | null {
  return kilobytes(`/proc/${pid}/smaps_rollup`, ['Pss_Anon', 'Pss_Shmem', 'SwapPss'])
}

function kilobytes(file: string, names: readonly string[]): number | null {
  try {
    const text = readFileSync(file, 'utf8')
    return names.reduce((bytes, name) => bytes + Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024, 0)
  } catch {
    return null
  }
}

function sum(pids: readonly number[], bytesOf: (pid: number) => number): number {
  return pids.reduce((bytes, pid) => bytes + bytesOf(pid), 0)
}

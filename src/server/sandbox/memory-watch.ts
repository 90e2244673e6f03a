import { readFileSync } from 'node:fs'
import { withDescendants } from './process-counter.ts'
import { orElse } from '../../shared/errors.ts'

/** How fast processors fill memory: processes far from their limit are checked less often. */
const FILL_BYTES_PER_MS = 8 * 1024 ** 2
const SOONEST_MS = 10
const LATEST_MS = 250
/** A program with more is ended because of their number. */
const MOST_PROCESSES = 128
/** A precise measurement of many pages takes a while. */
const AFTER_PRECISE_MS = 100

export interface MemoryWatchOptions {
  /** Maximum bytes of a process and its descendants. */
  readonly most: number
  /** Called once when they use more. */
  readonly onMore: () => void
}

/**
 * Watches how much memory a process and its descendants use together. The kernel's limits apply to each process alone, and cgroups are not available
 * everywhere.
 * @returns a function that stops watching
 */
export function watchMemory(pid: number, { most, onMore }: MemoryWatchOptions): () => void {
  let timer = setTimeout(look, Math.min(LATEST_MS, most / FILL_BYTES_PER_MS))

  function look(): void {
    const pids = [...withDescendants(pid, MOST_PROCESSES)]
    let used = sum(pids, ownBytes)
    const isPrecise = used > most
    // Shared pages were counted once per process.
    if (isPrecise) used = sum(pids, (one) => sharedOutBytes(one) ?? ownBytes(one))
    if (used > most) return onMore()
    const soonest = isPrecise ? AFTER_PRECISE_MS : SOONEST_MS
    timer = setTimeout(look, Math.min(LATEST_MS, Math.max(soonest, (most - used) / FILL_BYTES_PER_MS)))
  }

  return () => clearTimeout(timer)
}

/** Memory of a process and its descendants in bytes, shared pages counted once. */
export function memoryBelow(pid: number): number {
  return sum([...withDescendants(pid)], (one) => sharedOutBytes(one) ?? ownBytes(one))
}

/** Private and shared memory; mapped files can be dropped and do not count. */
function ownBytes(pid: number): number {
  return kilobytes(`/proc/${pid}/status`, ['RssAnon', 'RssShmem', 'VmSwap']) ?? 0
}

/** The same, with shared pages counted in proportion; null if the kernel does not report it. */
function sharedOutBytes(pid: number): number | null {
  return kilobytes(`/proc/${pid}/smaps_rollup`, ['Pss_Anon', 'Pss_Shmem', 'SwapPss'])
}

function kilobytes(file: string, names: readonly string[]): number | null {
  const text = orElse(null, () => readFileSync(file, 'utf8'))
  const bytesOf = (name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(text ?? '')?.[1] ?? 0) * 1024
  return text === null ? null : names.reduce((bytes, name) => bytes + bytesOf(name), 0)
}

function sum(pids: readonly number[], bytesOf: (pid: number) => number): number {
  return pids.reduce((bytes, pid) => bytes + bytesOf(pid), 0)
}

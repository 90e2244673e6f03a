import { LIMITS, type Limits } from '../sandbox/sandbox.ts'
import type { Exec } from './sandbox-mount.ts'

/** Hooks run unattended, so no user can stop them. */
export function hookLimits({ limits }: Exec): Limits {
  return { ...LIMITS, wallMs: 5 * 60_000, cpuSeconds: 120, outputBytes: 1024 ** 2, ...limits?.hook }
}

/** The user watches a command and can stop it. */
export function commandLimits({ limits }: Exec): Limits {
  return { ...LIMITS, wallMs: 10 * 60_000, cpuSeconds: 120, ...limits?.command }
}

/** A connection that does not send its first line within this time is closed. */
export const FIRST_LINE_MS = 30_000
export const IDLE_CHECK_EVERY_MS = 1000

/** A terminal without input is closed after this time. */
const IDLE_MS = 60 * 60_000

/** Each program at a terminal has its own processor time; the terminal itself may stay open for a working day. */
export function terminalLimits({ limits }: Exec): Limits & { readonly idleMs: number } {
  return { ...LIMITS, wallMs: 12 * 3600_000, cpuSeconds: 600, idleMs: IDLE_MS, ...limits?.terminal }
}

import { LIMITS, type Limits } from '../sandbox/sandbox.ts'
import type { Exec } from './sandbox-mount.ts'

/** Hooks work by themselves, with nobody who could stop them. */
export function hookLimits({ limits }: Exec): Limits {
  return { ...LIMITS, wallMs: 5 * 60_000, cpuSeconds: 120, outputBytes: 1024 ** 2, ...limits?.hook }
}

/** Somebody sits in front of a command, and can stop it. */
export function commandLimits({ limits }: Exec): Limits {
  return { ...LIMITS, wallMs: 10 * 60_000, cpuSeconds: 120, ...limits?.command }
}

/** Without its first line, a connection that asks for nothing is closed. */
export const FIRST_LINE_MS = 30_000
/** How often a terminal is asked whether anybody still types. */
export const IDLE_CHECK_EVERY_MS = 1000

/** A terminal is left alone now and then, and forgotten sometimes: so long after what was last typed it is ended. */
const IDLE_MS = 60 * 60_000

/** Each program at a terminal has its processor time, the terminal itself a working day. */
export function terminalLimits({ limits }: Exec): Limits & { readonly idleMs: number } {
  return { ...LIMITS, wallMs: 12 * 3600_000, cpuSeconds: 600, idleMs: IDLE_MS, ...limits?.terminal }
}

import { AssertionError } from 'node:assert'
import { isAppError } from '../../src/shared/errors.ts'

/** Something that reads what others wrote, and what must hold of it whatever that is. */
export interface Target {
  /** Inputs that reach far, for mutations to begin with; texts are UTF-8. */
  readonly seeds: readonly (string | Uint8Array)[]
  /** What the input may well hold besides what the modules themselves name. */
  readonly words?: readonly string[]
  /** Bytes of the longest input that is tried often; longer ones are tried now and then. */
  readonly most?: number
  /** How often the modules may come by one of their branches, for each byte of the input. */
  readonly stepsPerByte?: number
  /** Processor time for 64 KiB, where others are at work besides our own modules. */
  readonly mostMs?: number
  /** Fails where something does not hold. */
  readonly holds: (bytes: Uint8Array) => Promise<void> | void
}

/** Where it is, and the modules of which each branch is to be reached. */
export interface TargetEntry {
  readonly name: string
  readonly about: readonly string[]
  readonly load: () => Promise<{ readonly target: Target }>
}

/** An input for which a target did not hold, kept for good. */
export interface Find {
  readonly target: string
  /** Base64. */
  readonly input: string
  /** What went wrong then. */
  readonly was: string
}

/** What `read` gives, or null where it refuses the input with a named failure; everything else it throws is a find. */
export function orRefused<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (isAppError(error)) return null
    throw error
  }
}

/** Fails with a sentence, and not with what a value looks like: inputs are long. */
export function must(holds: boolean, says: string): asserts holds {
  if (!holds) throw new AssertionError({ message: says, stackStartFn: must })
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

export function bytesOf(seed: string | Uint8Array): Uint8Array {
  return typeof seed === 'string' ? new TextEncoder().encode(seed) : seed
}

/** Small choices at the beginning of an input, and the rest of it. */
export function split(bytes: Uint8Array, choices: number): { picks: readonly number[]; rest: Uint8Array } {
  return { picks: Array.from({ length: choices }, (_, i) => bytes[i] ?? 0), rest: bytes.subarray(choices) }
}

import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AppError } from '../../../shared/errors.ts'

/** A proxy rejected a request because of its size; the server itself has no limit. */
export class BodyRefused extends Error {
  override readonly name = 'BodyRefused'
  /** The error if no smaller body can be sent. */
  readonly otherwise: AppError
  constructor(otherwise: AppError) {
    super('a body was refused')
    this.otherwise = otherwise
  }
}

/** The largest request body that has been found to pass in this session. */
export interface BodyLimit {
  /** In bytes; null while nothing was rejected. */
  readonly store: StoreApi<{ bytes: number | null }>
  /** A body of this size was rejected. @param options.passed the largest that was not, 0 if unknown @returns whether to try a smaller one */
  refuse(size: number, options?: { passed: number }): boolean
}

/** Below this, the size is not the reason. */
const SMALLEST_BYTES = 64 * 1024

/**
 * Reduces the limit to what has passed before, else by powers of two, which is how such limits are configured: from 10 MiB to 8, 4, 2 and nginx's
 * default of 1 MiB in four steps.
 */
export function createBodyLimit({ read, write }: LimitStorage): BodyLimit {
  const store = createStore<{ bytes: number | null }>(() => ({ bytes: read() }))
  return {
    store,
    refuse(size, { passed } = { passed: 0 }) {
      if (size <= SMALLEST_BYTES) return false
      const isKnown = passed >= SMALLEST_BYTES && passed < size
      const smaller = isKnown ? passed : Math.max(SMALLEST_BYTES, 2 ** (Math.ceil(Math.log2(size)) - 1))
      const { bytes } = store.getState()
      // Parallel requests are rejected together.
      if (bytes !== null && bytes <= smaller) return true
      store.setState({ bytes: smaller })
      write(smaller)
      return true
    },
  }
}

/** Stores the limit for the session. */
export type LimitStorage = ReturnType<typeof tabStorage>

/** In the session storage of this tab, which survives a reload. */
export function tabStorage(storage: Pick<Storage, 'getItem' | 'setItem'> | undefined, key: string) {
  return {
    read: (): number | null => {
      const bytes = Number(storage?.getItem(key))
      return bytes >= SMALLEST_BYTES ? bytes : null
    },
    write: (bytes: number): void => storage?.setItem(key, String(bytes)),
  }
}

/** Shared by all uploads of this tab. */
export const bodyLimit = createBodyLimit(tabStorage(globalThis.sessionStorage, 'satchel-body-limit'))

import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AppError } from '../../../shared/errors.ts'

/** A request was refused for its size by something between us and the server, which knows no limit of its own. */
export class BodyRefused extends Error {
  override readonly name = 'BodyRefused'
  /** What it means where no smaller body can be sent. */
  readonly otherwise: AppError
  constructor(otherwise: AppError) {
    super('a body was refused')
    this.otherwise = otherwise
  }
}

/** How much one request may carry, as far as this session has found out. */
export interface BodyLimit {
  /** In bytes; null while nothing was refused. */
  readonly store: StoreApi<{ bytes: number | null }>
  /** A body of so many bytes did not pass. @returns whether a smaller one is worth a try */
  refuse(size: number): boolean
}

/** Where the limit is kept for as long as the session lasts. */
export interface LimitKeeper {
  read(): number | null
  write(bytes: number): void
}

/** Below this it is not the size that is wrong. */
const SMALLEST_BYTES = 64 * 1024

/** Goes down by powers of two, which is how people write such limits: from 10 MiB to 8, 4, 2 and nginx's own 1 MiB in four steps. */
export function createBodyLimit({ read, write }: LimitKeeper): BodyLimit {
  const store = createStore<{ bytes: number | null }>(() => ({ bytes: read() }))
  return {
    store,
    refuse(size) {
      if (size <= SMALLEST_BYTES) return false
      const smaller = Math.max(SMALLEST_BYTES, 2 ** (Math.ceil(Math.log2(size)) - 1))
      const { bytes } = store.getState()
      // Five that travel together are refused together.
      if (bytes !== null && bytes <= smaller) return true
      store.setState({ bytes: smaller })
      write(smaller)
      return true
    },
  }
}

/** In the storage of this tab, which a reload keeps. */
export function tabKeeper(storage: Pick<Storage, 'getItem' | 'setItem'> | undefined, key: string): LimitKeeper {
  return {
    read: () => {
      const bytes = Number(storage?.getItem(key))
      return bytes >= SMALLEST_BYTES ? bytes : null
    },
    write: (bytes) => storage?.setItem(key, String(bytes)),
  }
}

/** Of this tab, whoever sends something. */
export const bodyLimit = createBodyLimit(tabKeeper(globalThis.sessionStorage, 'satchel-body-limit'))

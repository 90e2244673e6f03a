import { fail } from '../../../shared/errors.ts'

/** A move of a folder that has begun: everything is copied, then everything is deleted. */
export interface Move {
  readonly id: string
  /** Prefixes; both end with a slash. */
  readonly from: string
  readonly to: string
  readonly phase: 'copy' | 'delete'
}

/** The moves that have not ended. Until all is copied, the source is the folder and the target is hidden; then it is the other way round. */
export interface Pending {
  set(move: Move): void
  delete(id: string): void
  has(id: string): boolean
  /** Whether a key, or a prefix, is to be taken for missing. */
  isHidden(key: string): boolean
  /** Fails with `busy` for a key, or a prefix, that is in a folder on the move, or holds one. */
  refuse(key: string): void
}

export function createPending(): Pending {
  const moves = new Map<string, Move>()
  const within = (key: string, prefix: string): boolean => key.startsWith(prefix) || `${key}/` === prefix

  return {
    set: (move) => void moves.set(move.id, move),
    delete: (id) => void moves.delete(id),
    has: (id) => moves.has(id),
    isHidden: (key) => [...moves.values()].some(({ from, to, phase }) => within(key, phase === 'copy' ? to : from)),
    refuse(key) {
      const touches = (prefix: string): boolean => within(key, prefix) || prefix.startsWith(key.endsWith('/') ? key : `${key}/`)
      if ([...moves.values()].some(({ from, to }) => touches(from) || touches(to))) fail('busy', {})
    },
  }
}

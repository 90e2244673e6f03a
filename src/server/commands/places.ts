import { fail } from '../../shared/errors.ts'

/** So many at once for each person. */
export interface Places {
  /** Fails with `too-many-requests` when all are taken. */
  expect(userId: number): void
  /** @returns what gives the place back, once */
  take(userId: number): () => void
}

const AGAIN_AFTER_SECONDS = 10

export function createPlaces(most: number): Places {
  const taken = new Map<number, number>()
  return {
    expect(userId) {
      if ((taken.get(userId) ?? 0) >= most) fail('too-many-requests', { retryAfterSeconds: AGAIN_AFTER_SECONDS })
    },
    take(userId) {
      taken.set(userId, (taken.get(userId) ?? 0) + 1)
      return () => {
        const left = (taken.get(userId) ?? 1) - 1
        if (left > 0) taken.set(userId, left)
        else taken.delete(userId)
      }
    },
  }
}

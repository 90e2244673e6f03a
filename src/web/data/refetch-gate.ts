let pauses = 0
let waiting: (() => void)[] = []

/**
 * While optimistic updates are pending, listings are not refetched: a half-finished state would flicker.
 * @returns the result of `work`, or its error
 */
export async function withRefetchPaused<Value>(work: () => Promise<Value>): Promise<Value> {
  pauses += 1
  try {
    return await work()
  } finally {
    pauses -= 1
    if (pauses === 0) resume()
  }
}

function resume(): void {
  const now = waiting
  waiting = []
  for (const go of now) go()
}

/** Resolves when no optimistic update is pending. */
export function refetchAllowed(): Promise<void> {
  return pauses === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))
}

let pauses = 0
let waiting: (() => void)[] = []

/**
 * While rows are shown as they are about to be, nobody reads the folder anew: what is still half done would come back for a moment.
 * @returns what the work makes of it, also its failure
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

/** Resolves when nothing holds the news back, at once where nothing does. */
export function refetchAllowed(): Promise<void> {
  return pauses === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))
}

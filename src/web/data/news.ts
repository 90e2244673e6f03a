let held = 0
let waiting: (() => void)[] = []

/**
 * While rows are shown as they are about to be, nobody reads the folder anew: what is still half done would come back for a moment.
 * @returns what the work makes of it, also its failure
 */
export async function whileNewsWait<Value>(work: () => Promise<Value>): Promise<Value> {
  held += 1
  try {
    return await work()
  } finally {
    held -= 1
    if (held === 0) letCome()
  }
}

function letCome(): void {
  const now = waiting
  waiting = []
  for (const go of now) go()
}

/** Resolves when nothing holds the news back, at once where nothing does. */
export function newsMayCome(): Promise<void> {
  return held === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))
}

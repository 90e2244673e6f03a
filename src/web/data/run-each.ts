const CONCURRENCY = 4

/** Runs an operation for each item, a few in parallel. Never fails. */
export async function runEach<Item>(
  items: readonly Item[],
  operation: (item: Item) => Promise<unknown>,
): Promise<{ done: Item[]; failed: { item: Item; error: unknown }[] }> {
  const done: Item[] = []
  const failed: { item: Item; error: unknown }[] = []
  const queue = items.values()
  const work = async () => {
    for (const item of queue) {
      try {
        await operation(item)
        done.push(item)
      } catch (error) {
        failed.push({ item, error })
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, work))
  return { done, failed }
}

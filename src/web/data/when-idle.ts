let awaited: Promise<unknown> = Promise.resolve()

/** Nothing that can wait begins before this is settled: a page that waits for what it is going to show looks idle, and is not done. */
export function delayIdleUntil(shown: Promise<unknown>): void {
  awaited = shown.catch(() => undefined)
}

/** When the page has nothing better to do, and at the latest after so many milliseconds. */
export async function whenIdle(latestMs: number): Promise<void> {
  const end = performance.now() + latestMs
  await Promise.race([awaited, new Promise((resolve) => setTimeout(resolve, latestMs))])
  await new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: Math.max(1, end - performance.now()) })
    else setTimeout(resolve, latestMs / 4)
  })
}

let awaited: Promise<unknown> = Promise.resolve()

/** Delays idle work until this settles: a page that waits for its first response looks idle, but is not. */
export function delayIdleUntil(shown: Promise<unknown>): void {
  awaited = shown.catch(() => undefined)
}

/** Resolves when the page is idle, or after this many milliseconds at the latest. */
export async function whenIdle(latestMs: number): Promise<void> {
  const end = performance.now() + latestMs
  await Promise.race([awaited, new Promise((resolve) => setTimeout(resolve, latestMs))])
  await new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: Math.max(1, end - performance.now()) })
    else setTimeout(resolve, latestMs / 4)
  })
}

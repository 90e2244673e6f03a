/** When the page has nothing better to do, and at the latest after so many milliseconds. */
export function whenIdle(latestMs: number): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: latestMs })
    else setTimeout(resolve, latestMs / 4)
  })
}

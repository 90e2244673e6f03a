import type { Page } from '@playwright/test'

/** Both taps leave at once: between two calls more time may pass than a double tap has. */
export async function doubleTap(page: Page, point: { x: number; y: number }): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchEnd') =>
    browser.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchStart' ? [point] : [] })
  await Promise.all([touch('touchStart'), touch('touchEnd'), touch('touchStart'), touch('touchEnd')])
  await browser.detach()
}

import type { Page } from '@playwright/test'

/** The mouse moves and rests on the bar, as the hand of somebody does who is about to press one of its buttons: until it leaves, the bar stays. */
export async function reachForBar(page: Page): Promise<void> {
  const bar = page.locator('[data-part=preview] > header')
  const { x, y, height } = (await bar.boundingBox()) ?? { x: 0, y: 0, height: 0 }
  await page.mouse.move(x + 200, y + height + 100)
  await page.mouse.move(x + 200, y + height / 2)
}

import type { Locator, Page } from '@playwright/test'

/** Drops files and folders of this machine, as from the desktop. */
export async function dropFiles(page: Page, target: Locator, files: readonly string[]): Promise<void> {
  // Hovering waits until the target is there and holds still.
  await target.hover()
  const box = await target.boundingBox()
  if (box === null) throw new Error('nothing to drop on')
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const browser = await page.context().newCDPSession(page)
  const data = { items: [], files: [...files], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await browser.send('Input.dispatchDragEvent', { type, ...at, data })
  await browser.detach()
}

/** Lets this page send, or receive, so many bytes a second; null for as many as there are. */
export async function throttle(page: Page, bytesPerSecond: number | null, way: 'send' | 'receive' = 'send'): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Network.enable')
  await browser.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: way === 'receive' ? (bytesPerSecond ?? -1) : -1,
    uploadThroughput: way === 'send' ? (bytesPerSecond ?? -1) : -1,
  })
}

/** Takes an entry up and holds it over something. */
export async function dragOver(page: Page, source: Locator, target: Locator): Promise<void> {
  await source.hover()
  await page.mouse.down()
  // Twice: the first movement begins the drag, the second is a drag over something.
  await target.hover()
  await target.hover()
}

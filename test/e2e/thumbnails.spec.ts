import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { row, tile, pick } from './listing.ts'
import { WEBM } from './samples.ts'
import { expect, signIn, test } from './served.ts'
import { reachForBar } from './stage.ts'

const THUMBNAIL = /\/api\/preview\/thumb\//

test('images and videos show thumbnails in the list and the grid; other files show an icon', async ({ page, served, complaints }) => {
  await served.write('film.webm', WEBM)
  await served.write('note.txt', 'text')
  await served.write('photo.jpg', await photo())
  const addresses: string[] = []
  page.on('request', (request) => void (THUMBNAIL.test(request.url()) && addresses.push(request.url())))
  // The server has too much to do at first.
  complaints.foresee(/429/)
  const refused: string[] = []
  await page.route(/\/api\/preview\/thumb\/photo\.jpg/, async (route) => {
    if (refused.length >= 2) return route.continue()
    refused.push(route.request().method())
    await route.fulfill({ status: 429, headers: { 'retry-after': '0' } })
  })
  await signIn(page, served)
  for (const name of ['film.webm', 'photo.jpg']) await expectPicture(row(page, name))
  expect(refused).toEqual(['GET', 'HEAD'])
  await expect(row(page, 'note.txt').locator('img')).toHaveCount(0)
  await pick(page, 'Mosaic')
  for (const name of ['film.webm', 'photo.jpg']) await expectPicture(tile(page, name))
  expect(addresses.filter((address) => /auth|token/i.test(address))).toEqual([])
})

test('an invalid image keeps its icon, and the layout does not shift', async ({ page, served, complaints }) => {
  complaints.foresee(/501/)
  await served.write('wrong.jpg', 'no image at all')
  await signIn(page, served)
  const box = await row(page, 'wrong.jpg').boundingBox()
  await expect(row(page, 'wrong.jpg').locator('img')).toHaveCount(0)
  await expect(row(page, 'wrong.jpg').locator('svg[data-kind]')).toBeVisible()
  expect(await row(page, 'wrong.jpg').boundingBox()).toEqual(box)
})

test('only a few thumbnails load at once, and scrolling away cancels requests', async ({ page, served }) => {
  await mkdir(join(served.root, 'many'))
  const bytes = await photo()
  for (let i = 0; i < 200; i++) await writeFile(join(served.root, 'many', `photo ${String(i).padStart(3, '0')}.jpg`), bytes)
  let open = 0
  let cancelled = 0
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(THUMBNAIL, async (route) => {
    open++
    await released
    // A request that is gone cannot be answered.
    await route.continue().catch(() => undefined)
  })
  page.on('requestfailed', (request) => {
    if (THUMBNAIL.test(request.url())) {
      cancelled++
      open--
    }
  })
  await signIn(page, served, '/files/many/')
  await expect.poll(() => open).toBe(5)
  await row(page, 'photo 000.jpg').focus()
  await page.keyboard.press('End')
  await expect(row(page, 'photo 199.jpg')).toBeFocused()
  await expect.poll(() => cancelled).toBeGreaterThan(0)
  await expect.poll(() => open).toBe(5)
  release()
  await expectPicture(row(page, 'photo 199.jpg'))
})

test('the preview shows an image scaled to the screen, and the original on request', async ({ page, served }) => {
  await served.write('a.jpg', await photo(2400, 1200))
  await served.write(
    'b.tif',
    await sharp(await photo(1600, 800))
      .tiff()
      .toBuffer(),
  )
  await signIn(page, served, '/files/a.jpg')
  const width = (name: string) => page.getByRole('img', { name }).evaluate((image: HTMLImageElement) => image.naturalWidth)
  await expect.poll(() => width('a.jpg')).toBe(1080)
  await reachForBar(page)
  await page.getByRole('button', { name: 'Full size' }).click()
  await expect(page.getByRole('button', { name: 'Full size' })).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => width('a.jpg')).toBe(2400)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => width('b.tif')).toBe(1080)
  await expect(page.getByRole('button', { name: 'Full size' })).toHaveCount(0)
})

function photo(width = 600, height = 400): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 120, sigma: 30 } as const
  return sharp({ create: { width, height, channels: 3, background: 'gray', noise } })
    .jpeg()
    .toBuffer()
}

async function expectPicture(entry: ReturnType<typeof row>): Promise<void> {
  await expect(entry.locator('img[data-state="shown"]')).toBeVisible()
  await expect(entry.locator('svg[data-kind]')).toHaveCount(0)
}

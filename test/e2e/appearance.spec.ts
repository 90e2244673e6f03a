import type { Page, Route } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { row, pick, pickFiles } from './listing.ts'
import { PNG } from './samples.ts'
import { expect, signIn, test } from './served.ts'
import { tray } from './uploads.ts'
import { wordsOf } from './words.ts'

test.describe('in Arabic', () => {
  const say = wordsOf('ar')
  test.use({ locale: 'ar' })

  test('the page, the arrows of the grid and the arrows of the preview run right to left', async ({ page, served }) => {
    for (const name of ['a.png', 'b.png', 'c.png']) await served.write(name, PNG)
    await page.goto(`${served.url}/login`)
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await expectAccessible(page, 'login in Arabic')
    await signIn(page, served)
    await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
    const rail = await page.getByRole('navigation', { name: say('frame.navigation') }).boundingBox()
    const sheet = await page.getByRole('main').boundingBox()
    expect(rail?.x).toBeGreaterThan(sheet?.x ?? Infinity)
    await expect(item(page, 'a.png')).toBeVisible()
    await expectAccessible(page, 'the list in Arabic')
    await pick(page, say('files.view.mosaic'))
    await expectAccessible(page, 'the mosaic in Arabic')
    await item(page, 'a.png').click()
    await page.keyboard.press('F2')
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page, 'a dialog in Arabic')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('ArrowLeft')
    await expect(item(page, 'b.png')).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(item(page, 'a.png')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'a.png' })).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByRole('heading', { name: 'b.png' })).toBeVisible()
    await expectAccessible(page, 'the preview in Arabic')
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('heading', { name: 'a.png' })).toBeVisible()
  })
})

test('the chosen theme is kept without a white flash, and the default is light', async ({ page, served, complaints }) => {
  complaints.foresee(/net::ERR_FAILED/)
  await page.emulateMedia({ colorScheme: 'dark' })
  await signIn(page, served)
  expect(await brightness(page)).toBeGreaterThan(200)
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Dark' }).click()
  await expect.poll(() => brightness(page)).toBeLessThan(60)
  // From the first byte: even while no code comes, nothing white is shown.
  await page.route(/\/assets\/.*\.js/, (route) => route.abort())
  await page.reload()
  expect(await brightness(page)).toBeLessThan(60)
  await page.unroute(/\/assets\/.*\.js/)
  await page.reload()
  await expect.poll(() => brightness(page)).toBeLessThan(60)
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Same as the system' }).click()
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => brightness(page)).toBeGreaterThan(200)
})

test('going offline shows a notice, keeps the listing and pauses an upload, which resumes later', async ({ page, served, complaints }) => {
  complaints.foresee(/net::ERR/)
  await served.write('a.txt', 'a')
  await signIn(page, served)
  await expect(row(page, 'a.txt')).toBeVisible()
  const held: Route[] = []
  await page.route('**/api/resources/up.txt**', (route) => void held.push(route), { times: 1 })
  await pickFiles(page, [{ name: 'up.txt', mimeType: 'text/plain', buffer: Buffer.from('up') }])
  await expect.poll(() => held.length).toBe(1)
  await page.context().setOffline(true)
  for (const route of held) await route.abort('internetdisconnected')
  await expect(page.getByText('You’re offline.')).toBeVisible()
  await expect(row(page, 'a.txt')).toBeVisible()
  await expect(tray(page).getByText('Waiting for the server')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByText('You’re offline.')).toHaveCount(0)
  await expect(tray(page)).toContainText('1 upload complete')
  await expect(row(page, 'up.txt')).toBeVisible()
})

test('a page that failed to load while the server was down loads when it is back', async ({ page, served, complaints }) => {
  complaints.foresee(/net::ERR/)
  await served.write('docs/a.txt', 'a')
  await signIn(page, served)
  await expect(row(page, 'docs')).toBeVisible()
  await served.kill()
  await page.getByRole('link', { name: 'docs' }).dblclick()
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible({ timeout: 20_000 })
  await served.start()
  await expect(row(page, 'a.txt')).toBeVisible({ timeout: 20_000 })
})

test('a folder is shown without the messages of what can wait, and the rest comes when the server is back', async ({
  page,
  served,
  complaints,
}) => {
  complaints.foresee(/net::ERR|Failed to fetch|preload|ChunkMissing/)
  await served.write('a.txt', 'a')
  let refused = 0
  await page.route(/messages_en_late/, (route) => {
    refused += 1
    return route.abort()
  })
  await signIn(page, served)
  // The page tries again by itself.
  await expect.poll(() => refused).toBeGreaterThan(4)
  await expect(row(page, 'a.txt')).toBeVisible()
  await page.unroute(/messages_en_late/)
  await page.getByRole('button', { name: 'New folder' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('a script chunk that fails to load shows an error page with a retry', async ({ page, served, complaints }) => {
  complaints.foresee(/net::ERR|Failed to fetch|preload|ChunkMissing/)
  await served.write('a.txt', 'a')
  await signIn(page, served)
  await expect(row(page, 'a.txt')).toBeVisible()
  let loads = 0
  page.on('load', () => (loads += 1))
  await page.route(/\/assets\/editor-/i, (route) => route.abort())
  await row(page, 'a.txt').dblclick()
  // As after an upgrade, the page is loaded anew, and only once.
  await expect.poll(() => loads).toBe(1)
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  expect(loads).toBe(1)
  await page.unroute(/\/assets\/editor-/i)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('textbox', { name: 'a.txt' })).toContainText('a')
})

/** Of the page's ground, from 0 to 255. */
function brightness(page: Page): Promise<number> {
  return page.evaluate(() => {
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(document.documentElement).backgroundColor.match(/[\d.]+/g) ?? []).map(Number)
    return (red + green + blue) / 3
  })
}

/** Found by its name alone, whatever the language. */
function item(page: Page, name: string) {
  return page.locator('[data-item]').filter({ hasText: name })
}

import type { Page } from '@playwright/test'
import { row } from './listing.ts'
import { expect, signIn, test } from './served.ts'

test('a folder, also a shared one, prints every row on white in any theme', async ({ page, served, elsewhere }) => {
  for (let n = 1; n <= 60; n++) await served.write(`docs/file ${n}.txt`, 'x'.repeat(n))
  await served.write('docs/inner/a.txt', '')
  await page.emulateMedia({ colorScheme: 'dark' })
  await signIn(page, served)
  await page.evaluate(() => localStorage.setItem('theme', 'dark'))
  await page.goto(`${served.url}/files/docs/`)
  await expect(row(page, 'file 1.txt')).toBeVisible()
  await expectSheet(page, 'docs')

  const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
  const made = await page.request.post(`${served.url}/api/share/docs`, { headers: { 'x-auth': token }, data: {} })
  const { hash } = (await made.json()) as { hash: string }
  const guest = await elsewhere()
  await guest.goto(`${served.url}/share/${hash}/`)
  await expect(guest.getByRole('row')).toHaveCount(61)
  await expectSheet(guest, 'docs')
})

async function expectSheet(page: Page, title: string): Promise<void> {
  await page.emulateMedia({ media: 'print' })
  const sheet = page.getByRole('article')
  // Its code may still be on the way.
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await expect(sheet).toBeVisible({ timeout: 100 })
  }).toPass()
  await expect(sheet.getByRole('heading', { level: 1 })).toHaveText(title)
  await expect(sheet.getByRole('row')).toHaveCount(62)
  await expect(sheet.getByRole('row').nth(1)).toContainText('inner/')
  await expect(sheet.getByRole('row').nth(61)).toContainText(/file 60\.txt60 bytes.*20\d\d/)
  await expect(page.getByRole('button')).toHaveCount(0)
  await expect(page.locator('#app')).toBeHidden()
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light')
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await page.emulateMedia({ media: null })
  await expect(sheet).toHaveCount(0)
}

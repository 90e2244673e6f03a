import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { row } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, signIn, test } from './served.ts'
import { wordsOf } from './words.ts'

/** Ten kilobytes in gigabytes. */
const TEN_KB = String(10 / 1024 ** 2)

test('an administrator limits a person, who sees that in the bar and is told why an upload is refused', async ({
  page,
  served,
  elsewhere,
  complaints,
}) => {
  complaints.foresee(/status of 507 /)
  await served.write('there.bin', 'x'.repeat(4096))
  await signIn(page, served)
  await page.goto(`${served.url}/settings/users`)
  await page.getByRole('link', { name: 'clerk', exact: true }).click()
  const quota = page.getByRole('region', { name: 'Quota' })
  await quota.getByLabel('Maximum size in gigabytes').fill('no number')
  await expect(quota.getByText('Enter a number, or leave empty.')).toBeVisible()
  await quota.getByLabel('Maximum size in gigabytes').fill(TEN_KB)
  await quota.getByLabel('Maximum number of files and folders').fill('3')
  await page.keyboard.press('Enter')
  await expectNotice(page, 'Quota saved.')
  await expect(quota.getByText('4 kB of 10 kB used')).toBeVisible()
  await expect(quota.getByText('1 of 3 files and folders')).toBeVisible()
  await expectAccessible(page, 'the quota of a person')
  await page.goto(`${served.url}/settings/users`)
  await expect(page.getByRole('row', { name: /clerk/ })).toContainText('4 kB of 10 kB used')

  const clerk = await elsewhere()
  await signIn(clerk, served, '/files/', 'clerk')
  const bar = clerk.locator('[data-part=usage]')
  await expect(bar).toContainText('4 kB of 10 kB used')
  await expect(bar).toContainText('1 of 3 files and folders')
  await upload(clerk, 'fits.bin', 5000)
  await expect(row(clerk, 'fits.bin')).toBeVisible()
  await expect(bar).toContainText('9 kB of 10 kB used')
  await upload(clerk, 'more.bin', 5000)
  await expect(clerk.getByText('Your quota is used up. There isn’t enough space.').first()).toBeVisible()
  await expect(row(clerk, 'more.bin')).toBeHidden()
  await expectAccessible(clerk, 'a refused upload')
})

test('on a phone, in Arabic, the quota of everybody is set and removed by the keyboard alone', async ({ page, served, elsewhere }) => {
  const t = wordsOf('ar')
  await served.write('a.txt', 'a')
  await signIn(page, served)
  const phone = await elsewhere({ viewport: { width: 390, height: 844 }, locale: 'ar', colorScheme: 'dark' })
  await signIn(phone, served)
  await phone.goto(`${served.url}/settings/global`)
  const quota = phone.getByRole('region', { name: t('quota.title') })
  await quota.getByLabel(t('quota.files')).focus()
  await phone.keyboard.type('5')
  await phone.keyboard.press('Tab')
  await expect(button(quota, t('quota.save'))).toBeFocused()
  await phone.keyboard.press('Enter')
  await expect(button(quota, t('quota.count'))).toBeVisible()
  await expect(quota.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '20')
  await button(quota, t('quota.count')).press('Enter')
  await fits(phone)
  await expectAccessible(phone, 'the quota of everybody in Arabic')
  await quota.getByLabel(t('quota.files')).focus()
  await phone.keyboard.press('Backspace')
  await phone.keyboard.press('Enter')
  await expect(button(quota, t('quota.count'))).toBeHidden()
})

function button(within: Locator, name: string): Locator {
  return within.getByRole('button', { name, exact: true })
}

async function upload(page: Page, name: string, size: number): Promise<void> {
  const file = { name, mimeType: 'application/octet-stream', buffer: Buffer.alloc(size, 'x') }
  await page.locator('[data-part=pick-files]').setInputFiles(file)
}

async function fits(page: Page): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wide).toBeLessThanOrEqual(0)
}

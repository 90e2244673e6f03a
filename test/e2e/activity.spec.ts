import { readFile } from 'node:fs/promises'
import { expectAccessible } from './axe.ts'
import { answer, dialog } from './listing.ts'
import { expect, signIn, test } from './served.ts'

test('administrators read, filter and export the activity log, also on a phone and right to left', async ({
  page,
  served,
  elsewhere,
  complaints,
}) => {
  complaints.foresee(/status of 403/)
  const stranger = await elsewhere()
  await stranger.goto(`${served.url}/login`)
  await stranger.locator('input[autocomplete=username]').fill('clerk')
  await stranger.locator('input[autocomplete=current-password]').fill('guessed')
  await stranger.locator('form button[type=submit]').click()
  await expect(stranger.getByText('Wrong credentials')).toBeVisible()

  await signIn(page, served)
  await page.goto(`${served.url}/settings/global`)
  await page.getByLabel('Site name').fill('The Burrow')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('All changes saved')).toBeVisible()
  await page.goto(`${served.url}/settings/users`)
  await page.getByRole('link', { name: 'guest', exact: true }).click()
  await page.getByRole('button', { name: 'Delete user' }).click()
  await answer(dialog(page, 'Delete guest?'), 'Delete user')
  await expect(page).toHaveURL(`${served.url}/settings/users`)

  await page.getByRole('link', { name: 'Activity' }).click()
  await expect(page).toHaveTitle(/Activity/)
  const rows = page.getByRole('table', { name: 'Activity' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('User deleted')
  await expect(rows.nth(1)).toContainText('guest')
  await expect(rows.filter({ hasText: 'Settings changed' })).toContainText('Site name')
  await expect(rows.filter({ hasText: 'Settings changed' })).toContainText('The Burrow')
  await expect(rows.filter({ hasText: 'Sign-in failed' }).getByRole('link', { name: 'clerk' })).toHaveAttribute(
    'href',
    /\/settings\/users\/\d+$/,
  )
  await expect(rows.nth(1).getByRole('link', { name: 'guest' })).toHaveCount(0)
  await expectAccessible(page, 'activity')

  await page.getByLabel('Event').selectOption({ label: 'Sign-in failed' })
  await expect(rows).toHaveCount(2)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export as CSV' }).click()
  const table = await readFile(await (await download).path(), 'utf8')
  expect(table.trim().split('\r\n')).toEqual([expect.stringContaining('"time","kind"'), expect.stringContaining('"sign-in-failed","","')])
  await page.getByLabel('Search text').fill('nothing like this')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nothing matches this filter')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filter' }).press('Enter')
  await expect(page.getByLabel('Event')).toBeFocused()
  await expect(rows.nth(1)).toContainText('Activity exported')

  const phone = await elsewhere({ viewport: { width: 390, height: 844 }, locale: 'ar', colorScheme: 'dark' })
  await signIn(phone, served)
  await phone.goto(`${served.url}/settings/activity`)
  await expect(phone.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(phone.locator('[data-part=activity] tbody tr').first()).toBeVisible()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await expectAccessible(phone, 'activity on a phone, in Arabic')

  const clerk = await elsewhere()
  await signIn(clerk, served, '/files/', 'clerk')
  await clerk.goto(`${served.url}/settings/activity`)
  await expect(clerk).toHaveURL(`${served.url}/403`)
})

import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { answer, dialog } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, type Served, signIn, test } from './served.ts'

test('a token is made for one folder, shown once, works, and is revoked', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 401/)
  await openProfile(page, served)
  const list = page.locator('[data-part="card"]', { has: page.getByRole('heading', { name: 'API tokens' }) })
  await expect(list.getByText('No API tokens')).toBeVisible()
  await list.getByRole('button', { name: 'New token' }).click()
  const form = dialog(page, 'New token')
  await form.getByRole('button', { name: 'Create token' }).click()
  await expect(form.getByText('Enter a name')).toBeVisible()
  await form.getByRole('textbox', { name: 'Name' }).fill('backup of the laptop')
  await expect(form.getByRole('checkbox', { name: 'Download' })).toBeChecked()
  await form.getByRole('checkbox', { name: 'Create files and folders' }).check()
  await expectAccessible(page, 'a new token')
  await form.getByRole('button', { name: 'Create token' }).click()

  const shown = dialog(page, 'Copy your token now')
  const secret = (await shown.locator('code').first().textContent()) ?? ''
  expect(secret).toMatch(/^satchel_[0-9A-Za-z]{46}$/)
  await expect(shown.locator('code').last()).toContainText(`curl -H 'Authorization: Bearer ${secret}' ${served.url}/api/resources/`)
  await expectAccessible(page, 'a token that was made')
  await page.keyboard.press('Escape')
  await expect(shown).toBeVisible()
  await answer(shown, 'Close')

  const one = list.getByRole('listitem').filter({ hasText: 'backup of the laptop' })
  await expect(one).toContainText('Download, Create files and folders')
  await expect(one).toContainText('All files')
  await expect(one).toContainText('Never used')
  const status = async () => (await fetch(`${served.url}/api/resources/`, { headers: { authorization: `Bearer ${secret}` } })).status
  expect(await status()).toBe(200)
  await page.reload()
  await expect(one).toContainText('Last used')
  await expect(page.getByText(secret)).toHaveCount(0)

  await one.getByRole('button', { name: 'Revoke backup of the laptop' }).click()
  await answer(dialog(page, 'Revoke “backup of the laptop”?'), 'Revoke')
  await expectNotice(page, 'Token revoked')
  await expect(one).toHaveCount(0)
  expect(await status()).toBe(401)
})

test('administrators see everybody’s tokens and those of one user, and signing out everywhere revokes one’s own if one says so', async ({
  page,
  served,
  elsewhere,
}) => {
  const other = await elsewhere()
  await openProfile(other, served, 'reader')
  await makeToken(other, 'a script of the reader')
  await openProfile(page, served)
  await makeToken(page, 'mine')

  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'API tokens' }).click()
  await expect(page).toHaveTitle('API tokens')
  const theirs = page.getByRole('listitem').filter({ hasText: 'a script of the reader' })
  await expect(theirs).toContainText('reader')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Users' }).click()
  await page.getByRole('link', { name: 'reader' }).click()
  await theirs.getByRole('button', { name: 'Revoke' }).click()
  await answer(dialog(page, 'Revoke “a script of the reader”?'), 'Revoke')
  await expect(page.getByText('No API tokens')).toBeVisible()

  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Profile settings' }).click()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  const question = dialog(page, 'Sign out everywhere?')
  await question.getByRole('checkbox', { name: 'Also revoke my API tokens' }).check()
  await question.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL(`${served.url}/login`)
  await openProfile(page, served)
  await expect(page.getByText('No API tokens')).toBeVisible()
})

test('on a phone, right to left, a token is made with the keyboard and the targets are large', async ({ page, served }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openProfile(page, served)
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  await page.getByRole('button', { name: 'New token' }).focus()
  await page.keyboard.press('Enter')
  const form = dialog(page, 'New token')
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('keyboard')
  const row = form.getByRole('checkbox', { name: 'Download' }).locator('..')
  expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.keyboard.press('Enter')
  await expect(dialog(page, 'Copy your token now')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

async function openProfile(page: Page, served: Served, username = 'admin'): Promise<void> {
  await signIn(page, served, '/files/', username)
  await page.goto(`${served.url}/settings/profile`)
  await expect(page.getByRole('heading', { name: 'API tokens' })).toBeVisible()
}

async function makeToken(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New token' }).click()
  await dialog(page, 'New token').getByRole('textbox', { name: 'Name' }).fill(name)
  await page.keyboard.press('Enter')
  await answer(dialog(page, 'Copy your token now'), 'Close')
}

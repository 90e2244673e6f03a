import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { dialog, row } from './listing.ts'
import { expect, signIn, test } from './served.ts'

test('Ctrl+K finds folders, actions on the selection, settings, themes and languages', async ({ page, served }) => {
  await served.write('plans/deep/Plan B.txt', 'hello')
  await served.write('photos/a.txt', '')
  await served.write('one.txt', '')
  await signIn(page, served)
  await row(page, 'one.txt').click()

  await open(page)
  await expect(field(page)).toBeFocused()
  await expect(group(page, 'Selected: one.txt').getByRole('option', { name: 'Rename' })).toBeVisible()
  await expectAccessible(page, 'the palette')
  await field(page).fill('rena')
  await page.keyboard.press('Enter')
  await expect(dialog(page, 'Rename “one.txt”')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page, 'Rename “one.txt”')).toHaveCount(0)
  await expect(row(page, 'one.txt')).toBeFocused()

  await open(page)
  await field(page).fill('phot')
  await expect(group(page, 'In this folder').getByRole('option')).toHaveText(/photos/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${served.url}/files/photos/`)

  await open(page)
  await field(page).fill('plan b')
  const found = group(page, 'Files and folders').getByRole('option', { name: 'Plan B.txt' })
  await expect(found).toContainText('plans/deep')
  const noted = page.waitForResponse((answer) => answer.url().endsWith('/api/recent') && answer.request().method() === 'POST')
  await found.click()
  await expect(page).toHaveURL(`${served.url}/files/plans/deep/Plan%20B.txt`)
  await noted
  await page.goBack()
  await expect(page).toHaveURL(`${served.url}/files/photos/`)
  // What is remembered is what was seen.
  await expect(row(page, 'a.txt')).toBeVisible()

  await open(page)
  await field(page).fill('users')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${served.url}/settings/users`)
  await expect(page).toHaveTitle('Users')
  await open(page)
  await expect(group(page, 'Recent').getByRole('option')).toHaveText([/Plan B.txt/, /photos/])
  // The arrows go round.
  await page.keyboard.press('ArrowUp')
  await expect(field(page)).toHaveAttribute('aria-activedescendant', (await options(page).last().getAttribute('id')) ?? '')
  await field(page).fill('dark')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveClass(/theme-dark/)
  await open(page)
  await field(page).fill('العربية')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await page.keyboard.press('ControlOrMeta+K')
  await expectAccessible(page, 'the palette, dark, in Arabic')
  await page.locator('[role=combobox]').fill('de')
  await page.getByRole('option', { name: 'Deutsch' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
})

test('the palette offers no forbidden actions, searches contents when no name matches, and is in the help and the phone menu', async ({
  page,
  served,
}) => {
  await served.write('one.txt', '')
  await signIn(page, served, '/files/', 'reader')
  await row(page, 'one.txt').click()
  await open(page)
  const ofOne = group(page, 'Selected: one.txt').getByRole('option')
  await expect(ofOne).toHaveText([/Open/, /Download/, /Add to favourites/, /Details/, /Activity/, /Version history/, /Clear/])
  await expect(options(page).filter({ hasText: /New folder|Upload|Users|Shares/ })).toHaveCount(0)
  await field(page).fill('xyzzy')
  await expect(options(page)).toHaveText([/Search inside files for “xyzzy”/])
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)

  await page.keyboard.press('F1')
  await expect(dialog(page, 'Help').getByText('Commands')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Commands' }).click()
  await expectAccessible(page, 'the palette on a phone')
  await page.goBack()
  await expect(palette(page)).toHaveCount(0)
  await expect(page).toHaveURL(`${served.url}/files/`)
})

async function open(page: Page): Promise<void> {
  // What is typed into one that is closing is lost.
  await expect(palette(page)).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+K')
  await expect(palette(page)).toBeVisible()
}

function palette(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Commands' })
}

function field(page: Page): Locator {
  return page.getByRole('combobox', { name: 'Type a name or a command' })
}

function group(page: Page, name: string): Locator {
  return palette(page).getByRole('group', { name })
}

function options(page: Page): Locator {
  return palette(page).getByRole('option')
}

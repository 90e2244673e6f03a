import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { dragOver } from './drop.ts'
import { choose, row } from './listing.ts'
import { expect, signIn, test } from './served.ts'

test('the star adds a favourite and pins a folder; recent files are recorded unless disabled', async ({ page, served }) => {
  for (const name of ['docs/a.txt', 'photos/p.txt', 'b.txt', 'c.txt']) await served.write(name, name)
  await signIn(page, served)
  const other = await page.context().newPage()
  const read = other.waitForResponse(`${served.url}/api/places`)
  await other.goto(`${served.url}/files/`)
  await read

  // By key and by menu.
  await row(page, 'docs').click()
  await page.keyboard.press('*')
  await expect(row(page, 'docs')).toContainText('Favourite')
  await choose(page, row(page, 'photos'), 'Add to favourites')
  await choose(page, row(page, 'b.txt'), 'Add to favourites')
  await expect(row(page, 'b.txt')).toContainText('Favourite')
  await expect(pinned(page)).toHaveText(['docs', 'photos'])
  await choose(page, row(page, 'b.txt'), 'Remove from favourites')
  await expect(row(page, 'b.txt')).not.toContainText('Favourite')
  await page.keyboard.press('*')
  await expect(row(page, 'b.txt')).toContainText('Favourite')

  // In an order of one's own, by keys and by the mouse.
  await pinned(page).last().focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(pinned(page)).toHaveText(['photos', 'docs'])
  await expect(pinned(page).first()).toBeFocused()
  await expect(page.getByText('photos moved to position 1 of 2')).toBeAttached()
  await pull(page, pinned(page).first(), pinned(page).last())
  await expect(pinned(page)).toHaveText(['docs', 'photos'])
  await expect(page).toHaveURL(`${served.url}/files/`)

  // Drops go into them, where they may.
  await dragOver(page, row(page, 'docs'), pinned(page).first())
  await expect(pinned(page).first()).toHaveAttribute('data-over', 'barred')
  await page.mouse.up()
  await dragOver(page, row(page, 'b.txt'), pinned(page).first())
  await expect(pinned(page).first()).toHaveAttribute('data-over', 'taken')
  await page.mouse.up()
  await expect(row(page, 'b.txt')).toHaveCount(0)
  await expect.poll(() => existsSync(join(served.root, 'docs/b.txt'))).toBe(true)

  await expect(page).toHaveURL(`${served.url}/files/`)

  // Other tabs update when they get focus.
  await expect(pinned(other)).toHaveCount(0)
  await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect(pinned(other)).toHaveText(['docs', 'photos'])
  await other.close()

  // The opened file is in the recent files; the favourite followed the move.
  const told = page.waitForResponse((answer) => answer.url().endsWith('/api/recent') && answer.request().method() === 'POST')
  await row(page, 'c.txt').dblclick()
  await told
  await page.getByRole('button', { name: 'Add to favourites' }).click()
  await expect(page.getByRole('button', { name: 'Remove from favourites' })).toBeFocused()
  await page.keyboard.press('*')
  await expect(page.getByRole('button', { name: 'Add to favourites' })).toBeVisible()
  await page.locator('.cm-content').press('*')
  await expect(page.locator('.cm-content')).toHaveText('*c.txt')
  await page.keyboard.press('ControlOrMeta+z')
  await page.getByRole('link', { name: 'Favourites' }).click()
  await expect(page).toHaveTitle(/^Favourites/)
  await expect(listed(page)).toHaveText([/docs/, /photos/, /b\.txt.*docs/])
  await expectAccessible(page, 'the favourites')
  await page.getByRole('button', { name: 'Favourite: photos' }).click()
  await expect(listed(page)).toHaveText([/docs/, /b\.txt/])
  await expect(listed(page).last().getByRole('link')).toBeFocused()
  await expect(pinned(page)).toHaveText(['docs'])
  await page.keyboard.press('ControlOrMeta+K')
  await expect(page.getByRole('group', { name: 'Favourites' }).getByRole('option')).toHaveText([/docs/, /b\.txt/])
  await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText(/c\.txt/)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Recent' }).click()
  await expect(page).toHaveTitle(/^Recent/)
  await expect(listed(page)).toHaveText(/c\.txt.*Opened/)
  await page.getByRole('button', { name: 'Remove c.txt from this list' }).press('Delete')
  await expect(page.getByRole('heading', { name: 'No recent files yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(listed(page)).toHaveText(/c\.txt.*Opened/)
  await page.getByRole('button', { name: 'Clear list' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'No recent files yet' })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()

  await page.goto(`${served.url}/settings/profile`)
  await page.getByRole('switch', { name: 'Remember recent files' }).click()
  await page.getByRole('link', { name: 'Recent' }).click()
  await expect(page.getByRole('heading', { name: 'Recent files are off' })).toBeVisible()
  await expectAccessible(page, 'recent files, switched off')
})

function pinned(page: Page): Locator {
  return page.getByRole('region', { name: 'Favourites' }).getByRole('link')
}

function listed(page: Page): Locator {
  return page.locator('main').getByRole('listitem')
}

/** Drags one item of a list to behind another. */
async function pull(page: Page, from: Locator, behind: Locator): Promise<void> {
  const [start, end] = [await from.boundingBox(), await behind.boundingBox()]
  if (start === null || end === null) throw new Error('not in sight')
  await page.mouse.move(start.x + 40, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(start.x + 40, end.y + end.height, { steps: 6 })
  await page.mouse.up()
}

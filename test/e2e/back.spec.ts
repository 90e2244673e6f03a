import type { Locator, Page } from '@playwright/test'
import { dialog, row, fillName } from './listing.ts'
import { PNG } from './samples.ts'
import { expect, type Served, signIn, test } from './served.ts'

test('Back closes what is open, the topmost first, and only then leaves the page', async ({ page, served }) => {
  await served.write('docs/a.png', PNG)
  await enterDocs(page, served)
  const openers: [name: string, open: () => Promise<void>, shown: Locator][] = [
    ['help', () => page.keyboard.press('F1'), dialog(page, 'Help')],
    ['search', () => page.keyboard.press('ControlOrMeta+F'), dialog(page, 'Search')],
    ['palette', () => page.keyboard.press('ControlOrMeta+K'), page.getByRole('dialog').filter({ has: page.getByRole('combobox') })],
    ['menu', () => page.getByRole('button', { name: 'Actions', exact: true }).click(), page.getByRole('menu')],
    ['context menu', () => row(page, 'a.png').click({ button: 'right' }), page.getByRole('menu')],
  ]
  for (const [name, open, shown] of openers) {
    await test.step(name, async () => {
      await open()
      await expect(shown).toBeVisible()
      await expectEntries(page, 1)
      await page.goBack()
      await expect(shown).toHaveCount(0)
      await expectEntries(page, 0)
      await expect(page).toHaveURL(`${served.url}/files/docs/`)
    })
  }

  // A dialog over the preview over the folder.
  await row(page, 'a.png').dblclick()
  await expect(page.getByRole('heading', { name: 'a.png' })).toBeVisible()
  await page.keyboard.press('F1')
  await expect(dialog(page, 'Help')).toBeVisible()
  await expectEntries(page, 1)
  await page.goBack()
  await expect(dialog(page, 'Help')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'a.png' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(`${served.url}/files/docs/`)
  await expect(page.getByRole('heading', { name: 'a.png' })).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(`${served.url}/files/`)
  await expect(row(page, 'docs')).toBeVisible()
})

test('what was closed otherwise leaves no entry: one Back leaves the page, and Forward does no harm', async ({ page, served }) => {
  await served.write('docs/a.txt', 'a')
  await enterDocs(page, served)

  // Answered by a click, from a menu.
  await row(page, 'a.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  const renaming = dialog(page, /^Rename/)
  await fillName(renaming, 'b.txt')
  await renaming.getByRole('button', { name: 'Rename' }).click()
  await expect(row(page, 'b.txt')).toBeVisible()
  await expectEntries(page, 0)

  await page.keyboard.press('F1')
  await expect(dialog(page, 'Help')).toBeVisible()
  await expectEntries(page, 1)
  await page.keyboard.press('Escape')
  await expect(dialog(page, 'Help')).toHaveCount(0)
  await expectEntries(page, 0)
  await page.goForward()
  await expectEntries(page, 0)
  await expect(row(page, 'b.txt')).toBeVisible()
  await expect(dialog(page, 'Help')).toHaveCount(0)
  await page.goBack()
  await expect(row(page, 'docs')).toBeVisible()
  await expect(page).toHaveURL(`${served.url}/files/`)
  await page.goForward()
  await expect(row(page, 'b.txt')).toBeVisible()
  await expect(page).toHaveURL(`${served.url}/files/docs/`)

  // Left by what was chosen in it.
  await page.keyboard.press('ControlOrMeta+K')
  await page.getByRole('combobox').fill('users')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${served.url}/settings/users`)
  await expectEntries(page, 0)
  await page.goBack()
  await expect(page).toHaveURL(`${served.url}/files/docs/`)
  await expect(row(page, 'b.txt')).toBeVisible()

  // Gone with a reload.
  await page.keyboard.press('F1')
  await expect(dialog(page, 'Help')).toBeVisible()
  await expectEntries(page, 1)
  await page.reload()
  await expect(row(page, 'b.txt')).toBeVisible()
  await expectEntries(page, 0)
  await page.goBack()
  await expect(page).toHaveURL(`${served.url}/files/`)
  await expect(row(page, 'docs')).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('Back closes the drawer, a menu and a dialog; a place chosen in the drawer is one step away', async ({ page, served }) => {
    await served.write('docs/a.txt', 'a')
    await signIn(page, served)
    await row(page, 'docs').tap()
    await expect(row(page, 'a.txt')).toBeVisible()
    const drawer = page.locator('[data-part=drawer]')
    const menuButton = page.getByRole('button', { name: 'Menu', exact: true })
    await menuButton.tap()
    await expect(drawer).toBeVisible()
    await expectEntries(page, 1)
    await page.goBack()
    await expect(drawer).toBeHidden()
    await expect(page).toHaveURL(`${served.url}/files/docs/`)

    await page.getByRole('button', { name: 'Actions for a.txt' }).tap()
    await page.getByRole('menuitem', { name: 'Rename' }).tap()
    await expect(dialog(page, /^Rename/)).toBeVisible()
    await expectEntries(page, 1)
    await page.goBack()
    await expect(dialog(page, /^Rename/)).toHaveCount(0)
    await expect(page).toHaveURL(`${served.url}/files/docs/`)

    await menuButton.tap()
    await drawer.getByRole('link', { name: 'Recent' }).tap()
    await expect(page).toHaveURL(`${served.url}/recent`)
    await expect(drawer).toBeHidden()
    await expectEntries(page, 0)
    await page.goBack()
    await expect(page).toHaveURL(`${served.url}/files/docs/`)
    await expect(row(page, 'a.txt')).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(`${served.url}/files/`)
  })
})

async function enterDocs(page: Page, served: Served): Promise<void> {
  await signIn(page, served)
  await row(page, 'docs').dblclick()
  await expect(page).toHaveURL(`${served.url}/files/docs/`)
  await expect(page.getByRole('row').first()).toBeVisible()
}

/** How many entries what is open has above that of the page. They come and go a moment after it. */
async function expectEntries(page: Page, count: number): Promise<void> {
  const layer = () => page.evaluate(() => (history.state as { layer?: number } | null)?.layer ?? 0)
  await expect.poll(layer).toBe(count)
}

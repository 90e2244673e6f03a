import type { Page } from '@playwright/test'
import { dialog, row } from './listing.ts'
import { PNG } from './samples.ts'
import { expect, signIn, test } from './served.ts'

/** WCAG 2.5.8. */
const LEAST_TARGET = 24

test('at 200% zoom everything stays reachable, and targets are large enough', async ({ page, served }) => {
  await served.write('docs/a long name that needs its room.txt', 'a')
  await served.write('photo.png', PNG)
  await page.goto(`${served.url}/login`)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expectFits(page, 'sign in')
  await signIn(page, served)
  for (const place of [
    '/files/',
    '/files/docs/',
    '/files/photo.png',
    '/settings/profile',
    '/settings/global',
    '/settings/users/new',
    '/404',
  ]) {
    await page.goto(served.url + place)
    await expect(page.getByRole('heading').or(page.getByRole('grid')).or(page.locator('[data-part=preview]')).first()).toBeVisible()
    await expectFits(page, place)
  }
  await page.goto(`${served.url}/files/docs/`)
  await row(page, 'a long name that needs its room.txt').click()
  await page.keyboard.press('F2')
  await expect(dialog(page, /^Rename/)).toBeVisible()
  await expectFits(page, 'a dialog')
})

test('the page is usable with forced colours and increased contrast', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await page.emulateMedia({ forcedColors: 'active', contrast: 'more' })
  await signIn(page, served)
  await row(page, 'a.txt').click()
  await expect(row(page, 'a.txt').getByRole('checkbox')).toBeChecked()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  // Shadows and grounds are gone then: what has the focus is known by its outline.
  await expect.poll(() => row(page, 'a.txt').evaluate((element) => getComputedStyle(element).outlineStyle)).not.toBe('none')
  await page.keyboard.press('F2')
  const border = await dialog(page, /^Rename/).evaluate((element) => Number.parseFloat(getComputedStyle(element).borderTopWidth))
  expect(border).toBeGreaterThanOrEqual(1)
})

async function expectFits(page: Page, what: string): Promise<void> {
  await expect.poll(() => smallTargets(page), { message: what }).toEqual([])
  // What the browser's zoom leaves of a window of 1280 by 720: type is set in pixels, so zoom is the way to larger letters.
  await page.setViewportSize({ width: 640, height: 360 })
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), { message: what })
    .toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1280, height: 720 })
}

/** What is smaller, and stands in no line of text; of a field with a label, both. */
async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    return [...document.querySelectorAll<HTMLElement>('button, a[href], input, select, [role=menuitem], [role=tab]')]
      .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.tabIndex >= 0)
      .filter((element) => getComputedStyle(element).display !== 'inline')
      .flatMap((element) => {
        const { width, height } = (element.closest('label') ?? element).getBoundingClientRect()
        if (width <= 1 || (width >= least - 0.5 && height >= least - 0.5)) return []
        return [`${element.outerHTML.slice(0, 100)}: ${Math.round(width)} × ${Math.round(height)}`]
      })
  }, LEAST_TARGET)
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { answer, dialog, row, pick, fillName } from './listing.ts'
import { expectNotice } from './notices.ts'
import { PNG } from './samples.ts'
import { expect, signIn, test } from './served.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('signing in, opening, creating a folder, uploading and renaming work by touch', async ({ page, served }) => {
  await served.write('docs/note.txt', 'hello')
  await signIn(page, served)
  await row(page, 'docs').tap()
  await expect(row(page, 'note.txt')).toBeVisible()
  await page.getByRole('button', { name: 'New', exact: true }).tap()
  await page.getByRole('menuitem', { name: 'New folder' }).tap()
  const naming = dialog(page, 'New folder')
  await naming.getByRole('textbox').fill('trip')
  await naming.getByRole('button', { name: 'Create' }).tap()
  await expect(row(page, 'trip')).toBeVisible()
  await page.getByRole('button', { name: 'Clear selection' }).tap()
  await page.getByRole('button', { name: 'New', exact: true }).tap()
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Upload files' }).tap()
  await (await choosing).setFiles([{ name: 'photo.png', mimeType: 'image/png', buffer: PNG }])
  await expectNotice(page, '1 file uploaded')
  await page.getByRole('region', { name: 'Uploads', exact: true }).getByRole('button', { name: 'Close' }).tap()
  await page.getByRole('button', { name: 'Actions for photo.png' }).tap()
  await page.getByRole('menuitem', { name: 'Rename' }).tap()
  const renaming = dialog(page, 'Rename “photo.png”')
  await fillName(renaming, 'beach.png')
  await renaming.getByRole('button', { name: 'Rename' }).tap()
  await expect(row(page, 'beach.png')).toBeVisible()
  await expect.poll(() => existsSync(join(served.root, 'docs/beach.png'))).toBe(true)
  await page.getByRole('button', { name: 'Clear selection' }).tap()
  await row(page, 'beach.png').tap()
  await expect(page.getByRole('heading', { name: 'beach.png' })).toBeVisible()
})

test('a long press selects, further taps extend the selection, and the bottom bar deletes', async ({ page, served }) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await served.write(name, '')
  await signIn(page, served)
  await longPress(page, 'a.txt')
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('1 selected')
  await row(page, 'b.txt').tap()
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('2 selected')
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).tap()
  await answer(dialog(page, 'Delete 2 items?'), 'Move to trash')
  await expect(row(page, 'a.txt')).toHaveCount(0)
  await expect(row(page, 'c.txt')).toBeVisible()
})

test('the folder menu filters the folder, and the gallery has two columns', async ({ page, served }) => {
  for (const name of ['a.png', 'b.png', 'c.txt']) await served.write(name, PNG)
  await signIn(page, served)
  await page.getByRole('button', { name: 'Actions', exact: true }).tap()
  await page.getByRole('menuitem', { name: 'Filter this folder' }).tap()
  await expect(page.getByRole('textbox', { name: 'Filter this folder' })).toBeFocused()
  await page.keyboard.type('png')
  await expect(row(page, 'c.txt')).toHaveCount(0)
  await expectAccessible(page, 'filter on a phone')
  await pick(page, 'Gallery')
  const first = page.getByRole('gridcell').filter({ has: page.getByRole('button', { name: 'Actions for a.png' }) })
  await expect(first).toBeVisible()
  const box = await first.boundingBox()
  expect(box?.width).toBeGreaterThan(170)
  expect(box?.width).toBe(box?.height)
  await page.getByRole('button', { name: 'Clear the filter' }).tap()
  await expect(page.getByRole('gridcell')).toHaveCount(3)
})

test('the drawer contains the navigation and closes after a choice', async ({ page, served }) => {
  await served.write('docs/a.txt', '')
  await signIn(page, served, '/files/docs/')
  await page.getByRole('button', { name: 'Menu' }).tap()
  const drawer = page.getByRole('dialog', { name: 'Main' })
  await expectAccessible(page, 'drawer')
  await drawer.getByRole('link', { name: 'My files' }).tap()
  await expect(drawer).toBeHidden()
  await expect(row(page, 'docs')).toBeVisible()
  await page.getByRole('button', { name: 'Menu' }).tap()
  await drawer.getByRole('button', { name: 'Sign out' }).tap()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})

test('use-6: keys do not reach the page behind the drawer, and Escape closes it', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await signIn(page, served)
  await longPress(page, 'a.txt')
  await page.getByRole('button', { name: 'Menu' }).tap()
  const drawer = page.getByRole('dialog', { name: 'Main' })
  await expect(drawer).toBeVisible()
  for (const key of ['Delete', 'F2', 'ControlOrMeta+k', 'F1']) await page.keyboard.press(key)
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('1 selected')
  await page.keyboard.press('Delete')
  await expect(dialog(page, /^Delete/)).toBeVisible()
})

test('no screen scrolls horizontally at 320 px', async ({ page, served }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await served.write(`one/two/three/${'long name '.repeat(12)}.txt`, 'x'.repeat(500))
  await served.write('photo.png', PNG)
  await page.goto(`${served.url}/login`)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expectNoSideways(page)
  await signIn(page, served, '/files/one/two/three/')
  await expect(page.getByRole('grid')).toBeVisible()
  await expectNoSideways(page)
  // The way may be longer than there is room; its end is what one reads.
  await expect(page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'three' })).toBeInViewport({ ratio: 0.9 })
  await expectAccessible(page, 'phone listing')
  await page.getByRole('button', { name: /^Actions for long name/ }).tap()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectNoSideways(page)
  await page.getByRole('menuitem', { name: 'Move to…' }).tap()
  await expect(dialog(page, /^Move/)).toBeVisible()
  await expectNoSideways(page)
  await dialog(page, /^Move/).getByRole('button', { name: 'Cancel' }).tap()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await row(page, `${'long name '.repeat(12)}.txt`).tap()
  await expect(page.getByRole('textbox')).toBeVisible()
  await expectNoSideways(page)
  await page.goto(`${served.url}/files/photo.png`)
  await expect(page.getByRole('img', { name: 'photo.png' })).toBeVisible()
  await expectNoSideways(page)
  await page.goto(`${served.url}/404`)
  await expect(page.getByRole('heading', { name: 'Not Found' })).toBeVisible()
  await expectNoSideways(page)
})

test('the start of the folder name is visible, and the name of the root is shown in full', async ({ page, served }) => {
  const name = '2025 A long summer in Brittany'
  await served.write(`photos/${name}/a.txt`, 'a')
  await signIn(page, served)
  const path = page.getByRole('navigation', { name: 'Path' })
  const root = path.getByText('My files', { exact: true })
  await expect(root).toBeVisible()
  expect(await root.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true)
  await page.goto(`${served.url}/files/photos/${name}/`)
  await expect(row(page, 'a.txt')).toBeVisible()
  const [outer, inner] = await Promise.all([path.boundingBox(), path.getByRole('link', { name }).boundingBox()])
  if (outer === null || inner === null) throw new Error('no path')
  expect(inner.x).toBeGreaterThanOrEqual(outer.x + 24)
})

test('U5: a tap opens and a long press selects, whatever the mouse preference of the account', async ({ page, served }) => {
  await served.write('docs/note.txt', 'hello')
  await served.write('docs/other.txt', '')
  await signIn(page, served)
  await row(page, 'docs').tap()
  await expect(row(page, 'note.txt')).toBeVisible()
  await longPress(page, 'note.txt')
  await row(page, 'other.txt').tap()
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('2 selected')
  await page.getByRole('button', { name: 'Clear selection' }).tap()
  await row(page, 'note.txt').tap()
  await expect(page.getByRole('heading', { name: 'note.txt' })).toBeVisible()
})

test('touch targets are at least 44 px in both directions', async ({ page, served }) => {
  await served.write('docs/a.txt', '')
  await served.write('note.txt', '')
  await signIn(page, served)
  await expect(row(page, 'docs')).toBeVisible()
  await expectLargeTargets(page, 'listing')
  await longPress(page, 'note.txt')
  await expectLargeTargets(page, 'dock')
  await page.getByRole('button', { name: 'Clear selection' }).tap()
  await page.getByRole('button', { name: 'Actions for note.txt' }).tap()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectLargeTargets(page, 'menu', page.getByRole('menu'))
  await page.getByRole('menuitem', { name: 'Move to…' }).tap()
  await expect(dialog(page, /^Move/).getByRole('button', { name: 'docs' })).toBeVisible()
  await expectLargeTargets(page, 'folder picker', dialog(page, /^Move/))
})

/** A finger that stays, as the browser reports it. */
async function longPress(page: Page, name: string): Promise<void> {
  const box = await row(page, name).boundingBox()
  if (box === null) throw new Error(`${name} is not on show`)
  const browser = await page.context().newCDPSession(page)
  await browser.send('Input.dispatchTouchEvent', {
    type: 'touchStart',
    touchPoints: [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }],
  })
  await expect(row(page, name)).toHaveAttribute('aria-selected', 'true')
  await browser.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await browser.detach()
}

async function expectNoSideways(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

/** WCAG asks for 24 px, the product for 44 on touch; what a label or a row around it takes for it counts as its own. */
async function expectLargeTargets(page: Page, what: string, within: Locator = page.locator('body')): Promise<void> {
  await expect
    .poll(
      () =>
        within.evaluate((root) =>
          [...root.querySelectorAll<HTMLElement>('button, a[href], input, [role=menuitem], [role=row]')]
            .filter((element) => element.checkVisibility() && element.tabIndex >= 0)
            .flatMap((element) => {
              const box = (element.closest('label') ?? element).getBoundingClientRect()
              if (box.width <= 1 || box.bottom <= 0 || (box.width >= 43.5 && box.height >= 43.5)) return []
              return [`${element.outerHTML.slice(0, 90)}: ${Math.round(box.width)} × ${Math.round(box.height)}`]
            }),
        ),
      { message: what },
    )
    .toEqual([])
}

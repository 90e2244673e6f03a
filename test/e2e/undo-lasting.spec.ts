import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { dialog, expectNames, row, fillName } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, signIn, signInByForm, test } from './served.ts'
import { wordsOf } from './words.ts'

/** More than fit into one answer. */
const MANY = 120

test('undoing more than a hundred changes is a task with progress, and so is redoing them', async ({ page, served }) => {
  for (let n = 0; n < MANY; n++) await served.write(`${n}.txt`, String(n))
  await served.write('keep/a.txt', 'a')
  await signIn(page, served)
  await expect(row(page, '0.txt')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await row(page, 'keep').click({ modifiers: ['ControlOrMeta'] })
  await page.keyboard.press('Delete')
  await page
    .getByRole('dialog', { name: /^Delete / })
    .getByRole('button', { name: 'Move to trash' })
    .click()
  await expectNotice(page, `${MANY} items moved to the trash`)
  await expectNames(page, ['keep'])
  await page.keyboard.press('ControlOrMeta+z')
  await expectNotice(page, `Undone: ${MANY} changes`)
  await expect(page.getByText('Undo', { exact: true }).first()).toBeVisible()
  expect(await readFile(join(served.root, `${MANY - 1}.txt`), 'utf8')).toBe(String(MANY - 1))
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expectNotice(page, `Redone: ${MANY} changes`)
  await expectNames(page, ['keep'])
})

test('what was done is taken back and done again after a new sign-in, and after the server was killed', async ({
  page,
  served,
  complaints,
}) => {
  complaints.foresee(/Failed to load resource|net::ERR|WebSocket|EventSource/)
  for (const name of ['docs/x.txt', 'a.txt', 'b.txt']) await served.write(name, name)
  await signIn(page, served)
  await rename(page, 'a.txt', 'z.txt')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await signInByForm(page, served)
  await expect(row(page, 'z.txt')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expectNotice(page, '“z.txt” moved back')
  await expectNames(page, ['docs', 'a.txt', 'b.txt'])

  await row(page, 'b.txt').dragTo(row(page, 'docs'))
  await expectNames(page, ['docs', 'a.txt'])
  await served.kill()
  await served.start()
  await page.goto(`${served.url}/files/`)
  await expect(row(page, 'a.txt')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expectNotice(page, '“b.txt” moved back')
  await expectNames(page, ['docs', 'a.txt', 'b.txt'])
  await served.kill()
  await served.start()
  await page.goto(`${served.url}/files/`)
  await expect(row(page, 'b.txt')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expectNotice(page, 'Redone: Move “b.txt”')
  await expectNames(page, ['docs', 'a.txt'])
  expect(existsSync(join(served.root, 'docs/b.txt'))).toBe(true)
})

test('by keyboard alone: rename, undo from the menu, redo from the palette', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await signIn(page, served)
  await expect(row(page, 'a.txt')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('F2')
  await fillName(dialog(page, 'Rename “a.txt”'), 'b.txt')
  await page.keyboard.press('Enter')
  await expectNames(page, ['b.txt'])
  await page.getByRole('button', { name: 'Actions', exact: true }).focus()
  await page.keyboard.press('Enter')
  const item = page.getByRole('menuitem', { name: 'Undo: Rename “b.txt”' })
  await expect(item).toBeVisible()
  for (let presses = 0; presses < 12 && !(await item.evaluate((one) => one === document.activeElement)); presses++)
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expectNames(page, ['a.txt'])
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('redo')
  await expect(page.getByRole('option', { name: 'Redo: Rename “b.txt”' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expectNames(page, ['b.txt'])
})

test('each item that could not be taken back is told with its reason', async ({ page, served }) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) await served.write(name, name)
  await signIn(page, served)
  await expect(row(page, 'a.txt')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await page
    .getByRole('dialog', { name: /^Delete / })
    .getByRole('button', { name: 'Move to trash' })
    .click()
  await expectNotice(page, '4 items moved to the trash')
  for (const name of ['a.txt', 'b.txt']) await served.write(name, 'another')
  await page.keyboard.press('ControlOrMeta+z')
  await expectNotice(page, '2 items could not be restored')
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('2 items restored')
  await alert.getByText('Output', { exact: true }).first().click()
  await expect(alert.or(page.getByRole('dialog'))).toContainText('a.txt')
  await expect(alert.or(page.getByRole('dialog'))).toContainText('b.txt')
  await expectAccessible(page, 'what could not be undone')
  expect(await readFile(join(served.root, 'a.txt'), 'utf8')).toBe('another')
  for (const name of ['c.txt', 'd.txt']) expect(existsSync(join(served.root, name))).toBe(true)
})

test('what other programs change is in the activity, without Undo', async ({ page, served }) => {
  await served.write('docs/a.txt', 'a')
  await signIn(page, served, '/files/docs/')
  await expect(row(page, 'a.txt')).toBeVisible()
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Activity' }).click()
  const outside = page.locator('[data-part=outside]')
  let round = 0
  await expect(async () => {
    // Nothing is told of what was there before the index had read everything, so there may have to be a second time.
    round++
    for (const name of ['a.txt', 'by-another.txt']) await served.write(`docs/${name}`, 'x'.repeat(round))
    await expect(outside.first()).toContainText('a.txt', { timeout: 45_000 })
  }).toPass({ timeout: 180_000, intervals: [0] })
  await expect(outside.first()).toContainText('Changed by another program')
  await expect(outside.first()).toContainText('Can’t be undone here')
  await expect(outside.first().getByRole('link', { name: 'by-another.txt' })).toBeVisible()
  await expect(outside.first().getByRole('button')).toHaveCount(0)
  await expectAccessible(page, 'the activity of other programs')
})

test.describe('in Arabic', () => {
  const say = wordsOf('ar')
  /** With its key or with what it does; “Reset column widths” begins with the same word as “Redo”. */
  const command = (key: 'action.undo' | 'action.redo') => new RegExp(`^${say(key)}(:| Ctrl)`)
  test.use({ locale: 'ar' })

  test('a rename is taken back by the menu and told in Arabic', async ({ page, served }) => {
    await served.write('a.txt', 'a')
    await signIn(page, served)
    await call(page, 'PATCH', '/api/resources/a.txt?action=rename&destination=/b.txt')
    await page.reload()
    await page.getByRole('button', { name: say('files.menu'), exact: true }).click()
    await expectAccessible(page, 'the menu in Arabic')
    // With what it takes back, where that is known when the menu opens.
    await page.getByRole('menuitem', { name: command('action.undo') }).click()
    await expect.poll(() => existsSync(join(served.root, 'a.txt'))).toBe(true)
    await page.getByRole('button', { name: say('files.menu'), exact: true }).click()
    await page.getByRole('menuitem', { name: command('action.redo') }).click()
    await expect.poll(() => existsSync(join(served.root, 'b.txt'))).toBe(true)
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('by touch: the notice’s Undo, then Redo from the menu', async ({ page, served }) => {
    await served.write('a.txt', 'a')
    await signIn(page, served)
    await page.getByRole('button', { name: 'Actions for a.txt' }).tap()
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).tap()
    await page
      .getByRole('dialog', { name: /^Delete / })
      .getByRole('button', { name: 'Move to trash' })
      .tap()
    await expect.poll(() => existsSync(join(served.root, 'a.txt'))).toBe(false)
    await page.getByRole('button', { name: 'Undo', exact: true }).tap()
    await expect.poll(() => existsSync(join(served.root, 'a.txt'))).toBe(true)
    await expect(page.getByRole('button', { name: 'Actions for a.txt' })).toBeVisible()
    await page.getByRole('button', { name: 'Actions', exact: true }).tap()
    await page.getByRole('menuitem', { name: 'Redo: Delete “a.txt”' }).tap()
    await expect.poll(() => existsSync(join(served.root, 'a.txt'))).toBe(false)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  })
})

async function rename(page: Page, from: string, to: string): Promise<void> {
  await row(page, from).click()
  await page.keyboard.press('F2')
  await fillName(dialog(page, `Rename “${from}”`), to)
  await page.keyboard.press('Enter')
  await expect(row(page, to)).toBeVisible()
}

async function call(page: Page, method: string, path: string): Promise<number> {
  return page.evaluate(
    async (request) =>
      (await fetch(request.path, { method: request.method, headers: { 'x-auth': localStorage.getItem('jwt') ?? '' } })).status,
    { method, path },
  )
}

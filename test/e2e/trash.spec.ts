import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { answer, choose, dialog, expectNames, row } from './listing.ts'
import { share } from './links.ts'
import { expectNotice } from './notices.ts'
import { expect, signIn, test } from './served.ts'

test('what is deleted goes to the trash, and Undo, Ctrl+Z and a reload bring it back', async ({ page, served }) => {
  for (const name of ['docs/deep/a.txt', 'b.txt', 'c.txt', 'd.txt']) await served.write(name, name)
  await signIn(page, served)
  await row(page, 'docs').click()
  await page.keyboard.press('Delete')
  const deleting = dialog(page, 'Delete “docs”?')
  await expect(deleting).toContainText('2 folders, 1 file · 15 bytes')
  await expect(deleting).toContainText('Can be restored from the trash for up to 30 days.')
  await expect(deleting.getByRole('button', { name: 'Move to trash' })).toBeFocused()
  await expectAccessible(page, 'a deletion')
  await page.keyboard.press('Enter')
  await expectNotice(page, '“docs” moved to the trash')
  await expectNames(page, ['b.txt', 'c.txt', 'd.txt'])
  expect(existsSync(join(served.root, 'docs'))).toBe(false)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectNotice(page, '“docs” restored')
  await expectNames(page, ['docs', 'b.txt', 'c.txt', 'd.txt'])
  expect(await readFile(join(served.root, 'docs/deep/a.txt'), 'utf8')).toBe('docs/deep/a.txt')

  // Several at once are one gesture; the latest comes back first, also after a reload.
  await remove(page, ['b.txt', 'c.txt'])
  await remove(page, ['d.txt'])
  await expectNames(page, ['docs'])
  await page.keyboard.press('ControlOrMeta+z')
  await expectNames(page, ['docs', 'd.txt'])
  await page.reload()
  await expect(row(page, 'd.txt')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expectNotice(page, '2 items restored')
  await expectNames(page, ['docs', 'b.txt', 'c.txt', 'd.txt'])
})

test('Ctrl+Z takes back a move before an older deletion, and names what it cannot restore', async ({ page, served }) => {
  for (const name of ['docs/x.txt', 'a.txt', 'b.txt']) await served.write(name, name)
  await signIn(page, served)
  await remove(page, ['a.txt'])
  await row(page, 'b.txt').dragTo(row(page, 'docs'))
  await expectNames(page, ['docs'])
  await page.keyboard.press('ControlOrMeta+z')
  await expectNames(page, ['docs', 'b.txt'])
  await served.write('a.txt', 'another')
  await expect(row(page, 'a.txt')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expectNotice(page, '“a.txt” could not be restored')
  expect(await readFile(join(served.root, 'a.txt'), 'utf8')).toBe('another')
  await open(page)
  await expect(trashed(page, 'a.txt')).toBeVisible()
})

test('the trash lists what was deleted; it is restored where it was, by keyboard, and a taken name is a question', async ({
  page,
  served,
  complaints,
}) => {
  complaints.foresee(/status of 409/)
  for (const name of ['docs/deep/a.txt', 'docs/b.txt', 'c.txt']) await served.write(name, name)
  await signIn(page, served, '/files/docs/')
  await remove(page, ['deep', 'b.txt'])
  await open(page)
  await expect(page).toHaveTitle(/^Trash/)
  await expect(page.getByText('Deleted files and folders stay here for 30 days.')).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  await expect(trashed(page, 'b.txt')).toContainText(/docs.*now|ago.*10 bytes.*30 days/)
  await expectAccessible(page, 'the trash')
  await trashed(page, 'b.txt').getByRole('link', { name: 'docs' }).click()
  await expect(page).toHaveURL(`${served.url}/files/docs/`)
  await page.goBack()

  // By keyboard, with the focus on the next one.
  await trashed(page, 'deep').click()
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('1 selected')
  await expectAccessible(page, 'the trash with a selection')
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Restore', exact: true }).press('Enter')
  await expectNotice(page, '“deep” restored')
  await expect(rows(page)).toHaveCount(1)
  await expect(trashed(page, 'b.txt')).toBeFocused()
  expect(await readFile(join(served.root, 'docs/deep/a.txt'), 'utf8')).toBe('docs/deep/a.txt')

  // Nothing in the trash opens.
  await served.write('docs/b.txt', 'new')
  await page.keyboard.press('Enter')
  await answer(dialog(page, '“b.txt” is in the trash'), 'Restore')
  const taken = dialog(page, '“b.txt” already exists')
  await expect(taken.getByRole('radio')).toHaveCount(3)
  await expectAccessible(page, 'a taken name')
  await answer(taken, 'Continue')
  await expectNotice(page, 'restored')
  expect(await readFile(join(served.root, 'docs/b.txt'), 'utf8')).toBe('new')
  expect(await readFile(join(served.root, 'docs/b(1).txt'), 'utf8')).toBe('docs/b.txt')
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible()
  await expectAccessible(page, 'an empty trash')
})

test('something is restored to another folder, and what is there is replaced only if one says so', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 409/)
  for (const name of ['docs/a.txt', 'a.txt']) await served.write(name, name)
  await signIn(page, served)
  await remove(page, ['a.txt'])
  await open(page)
  await trashed(page, 'a.txt').click()
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Restore to…' }).click()
  const picker = dialog(page, 'Restore to…')
  await picker.getByRole('button', { name: 'docs' }).click()
  await picker.getByRole('button', { name: 'Choose this folder' }).click()
  const taken = dialog(page, '“a.txt” already exists')
  await taken.getByRole('radio', { name: /^Replace/ }).check()
  await answer(taken, 'Continue')
  await expect.poll(() => readFile(join(served.root, 'docs/a.txt'), 'utf8')).toBe('a.txt')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page).toHaveURL(`${served.url}/files/docs/`)
  await expect(row(page, 'a.txt')).toHaveAttribute('aria-selected', 'true')
})

test('a link to what is in the trash says so, and can be deleted there', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await signIn(page, served)
  const hash = await share(served, '/a.txt')
  await remove(page, ['a.txt'])
  await page.goto(`${served.url}/settings/shares`)
  const link = page.getByRole('table').getByRole('row').filter({ hasText: 'a.txt' })
  await expect(link).toContainText('In the trash')
  await expect(link.getByRole('button', { name: /Edit/ })).toHaveCount(0)
  await expectAccessible(page, 'a link into the trash')
  await link.getByRole('button', { name: `Delete link ${hash}` }).click()
  await answer(dialog(page, 'Delete this link?'), 'Delete link')
  await expect(link).toHaveCount(0)
})

test('a deletion without the trash asks twice, and the trash is emptied only after a question', async ({ page, served }) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) await served.write(name, name)
  await signIn(page, served)
  await choose(page, row(page, 'a.txt'), 'Delete')
  const deleting = dialog(page, 'Delete “a.txt”?')
  await deleting.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(deleting).toContainText('This cannot be undone.')
  await expect(deleting.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await answer(deleting, 'Delete permanently')
  await expectNotice(page, '1 item deleted')
  await remove(page, ['b.txt', 'c.txt', 'd.txt'])
  await open(page)
  await expect(rows(page)).toHaveCount(3)
  await expect(trashed(page, 'a.txt')).toHaveCount(0)

  await trashed(page, 'b.txt').click()
  await page.keyboard.press('Delete')
  const removing = dialog(page, 'Delete “b.txt”?')
  await expect(removing.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await answer(removing, 'Delete permanently')
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Empty trash' }).click()
  const emptying = dialog(page, 'Empty the trash?')
  await expect(emptying.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await answer(emptying, 'Empty trash')
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible()
  await expect(page.locator('[data-part=tray]')).toContainText('2 items deleted')
  await page.getByRole('link', { name: 'My files' }).click()
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expectNotice(page, 'Nothing to undo')
})

test('everything that was deleted in a folder can be found from there, and by name; administrators see everybody’s', async ({
  page,
  served,
  elsewhere,
}) => {
  for (const name of ['docs/mine.txt', 'docs/theirs.txt', 'other.txt']) await served.write(name, name)
  const clerk = await elsewhere()
  await signIn(clerk, served, '/files/docs/', 'clerk')
  await remove(clerk, ['theirs.txt'])
  await signIn(page, served)
  await remove(page, ['other.txt'])
  await page.goto(`${served.url}/files/docs/`)
  await remove(page, ['mine.txt'])
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Deleted here' }).click()
  await expect(page).toHaveTitle(/^docs - Trash/)
  await expect(rows(page)).toHaveCount(2)
  await expect(trashed(page, 'theirs.txt')).toContainText('clerk')
  await expectAccessible(page, 'what was deleted in a folder')
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(trashed(page, 'theirs.txt')).toHaveCount(0)
  await page.locator('label', { has: page.getByRole('radio', { name: 'Everyone’s' }) }).click()
  await expect(rows(page)).toHaveCount(3)
  await page.getByRole('searchbox', { name: 'Search the trash' }).fill('THEIR')
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Search the trash' }).fill('nothing')
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible()

  // Somebody else sees only their own, and no choice.
  await open(clerk)
  await expect(rows(clerk)).toHaveCount(1)
  await expect(clerk.getByRole('radio')).toHaveCount(0)
})

test('a long trash loads while it is scrolled, and only what is in sight is in the document', async ({ page, served }) => {
  const names = Array.from({ length: 450 }, (_, at) => `file ${String(at).padStart(3, '0')}.txt`)
  for (const name of names) await served.write(name, '')
  await signIn(page, served)
  await expect(row(page, 'file 000.txt')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await answer(dialog(page, 'Delete 450 items?'), 'Move to trash')
  await expectNotice(page, '450 items moved to the trash')
  await open(page)
  await expect(rows(page).first()).toBeVisible()
  expect(await rows(page).count()).toBeLessThan(60)
  const grid = page.getByRole('grid', { name: 'Trash' })
  await expect
    .poll(async () => {
      await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      return grid.getAttribute('aria-rowcount')
    })
    .toBe('451')
  await rows(page).last().focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('End')
  await expect(page.locator(':focus')).toHaveAttribute('aria-rowindex', '451')
})

test('a disk that is too full for the trash is a question: to delete for good, or not', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 507/)
  for (const name of ['a.txt', 'b.txt']) await served.write(name, name)
  await page.route(/api\/resources\/a\.txt$/, (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 507, json: { code: 'storage-full', detail: {} } }) : route.continue(),
  )
  await signIn(page, served)
  await row(page, 'a.txt').click()
  await row(page, 'b.txt').click({ modifiers: ['ControlOrMeta'] })
  await page.keyboard.press('Delete')
  await answer(dialog(page, 'Delete 2 items?'), 'Move to trash')
  await expectNotice(page, '“a.txt” was not deleted')
  const deleting = dialog(page, 'Delete “a.txt”?')
  await expect(deleting).toContainText('The disk is too full for the trash.')
  await expect(deleting.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(deleting).toHaveCount(0)
  await expectNames(page, ['a.txt'])
  await row(page, 'a.txt').click()
  await page.keyboard.press('Delete')
  await deleting.getByRole('button', { name: 'Move to trash' }).click()
  await expect(deleting).toContainText('The disk is too full for the trash.')
  await answer(deleting, 'Delete permanently')
  await expectNotice(page, '1 item deleted')
  await expectNames(page, [])
})

test.describe('without a trash', () => {
  test.use({ settings: { trashDays: 0 } })

  test('a deletion is final, the dialog says so, and Enter does not delete', async ({ page, served }) => {
    await served.write('a.txt', 'a')
    await signIn(page, served)
    await row(page, 'a.txt').click()
    await page.keyboard.press('Delete')
    const deleting = dialog(page, 'Delete “a.txt”?')
    await expect(deleting).toContainText('This cannot be undone.')
    await expect(deleting.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(deleting).toHaveCount(0)
    expect(existsSync(join(served.root, 'a.txt'))).toBe(true)
    await page.keyboard.press('Delete')
    await answer(deleting, 'Delete')
    await expectNotice(page, '1 item deleted')
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
    await open(page)
    await expect(page.getByRole('heading', { name: 'The trash is off' })).toBeVisible()
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a tap offers to restore, and nothing scrolls sideways', async ({ page, served }) => {
    await served.write('Holidays in the mountains/A very long name of a letter from the mountains.txt', 'x')
    await signIn(page, served, '/files/Holidays%20in%20the%20mountains/')
    await page.getByRole('button', { name: /^Actions for/ }).tap()
    await page.getByRole('menuitem', { name: 'Delete' }).tap()
    await answer(dialog(page, /^Delete “A very long/), 'Move to trash')
    await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Close' }).tap()
    await page.getByRole('button', { name: 'Menu' }).tap()
    await page.getByRole('link', { name: 'Trash' }).tap()
    const entry = rows(page).first()
    await expect(entry).toContainText(/Holidays.*30 days left/)
    await expectAccessible(page, 'the trash on a phone')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await entry.tap()
    await answer(dialog(page, /is in the trash/), 'Restore')
    await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible()
  })
})

test('administrators decide how long and how much is kept', async ({ page, served }) => {
  await signIn(page, served)
  await page.goto(`${served.url}/settings/global`)
  await page.getByLabel('Keep deleted files for (days)').fill('7')
  await page.getByLabel('At most this much of a disk (percent)').fill('101')
  await expect(page.getByText('Enter a valid number.')).toBeVisible()
  await page.getByLabel('At most this much of a disk (percent)').fill('25')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectNotice(page, 'Settings updated')
  await open(page)
  await served.write('a.txt', 'a')
  await page.goto(`${served.url}/files/`)
  await row(page, 'a.txt').click()
  await page.keyboard.press('Delete')
  await expect(dialog(page, 'Delete “a.txt”?')).toContainText('for up to 7 days')
})

/** Deletes the entries of the list in one gesture. */
async function remove(page: Page, names: readonly string[]): Promise<void> {
  for (const [at, name] of names.entries()) await row(page, name).click({ modifiers: at === 0 ? [] : ['ControlOrMeta'] })
  await page.keyboard.press('Delete')
  await answer(page.getByRole('dialog', { name: /^Delete / }), 'Move to trash')
  for (const name of names) await expect(row(page, name)).toHaveCount(0)
  await expectNotice(page, 'moved to the trash')
}

async function open(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trash' }).click()
  await expect(page.getByRole('heading', { name: 'Trash', exact: true })).toBeVisible()
}

/** What is listed. */
function rows(page: Page): Locator {
  return page
    .getByRole('grid', { name: 'Trash' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
}

function trashed(page: Page, name: string): Locator {
  return rows(page).filter({ has: page.getByRole('button', { name: `Actions for ${name}`, exact: true }) })
}

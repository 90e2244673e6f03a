import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { share } from './links.ts'
import { answer, choose, dialog, expectNames, expectSelected, row } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, signIn, test } from './served.ts'

test('the folder picker creates a folder, shows errors for invalid names inline, and Escape keeps the input', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await mkdir(join(served.root, 'docs'))
  await signIn(page, served)
  await choose(page, row(page, 'a.txt'), 'Move to…')
  const picker = dialog(page, /^Move/)
  await picker.getByRole('button', { name: 'New folder' }).click()
  const name = picker.getByRole('textbox', { name: 'Folder name' })
  await expect(name).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(picker.getByText('Enter a name.')).toBeVisible()
  await name.fill('docs')
  await expect(picker.getByText('“docs” already exists here.')).toBeVisible()
  await name.fill('a/b')
  await expect(picker.getByText('Names can’t contain a slash.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(name).toHaveCount(0)
  await expect(picker).toBeVisible()
  await picker.getByRole('button', { name: 'New folder' }).click()
  await name.fill('  trips  ')
  await page.keyboard.press('Enter')
  await expect(picker.getByRole('button', { name: 'trips' })).toHaveAttribute('aria-current', 'location')
  await answer(picker, 'Move here')
  await expectNames(page, ['docs', 'trips'])
  expect(readdirSync(join(served.root, 'trips'))).toEqual(['a.txt'])
})

test('U15: the folder picker finds folders at any depth, except inside the moved ones', async ({ page, served }) => {
  await mkdir(join(served.root, 'trips/2024/invoices'), { recursive: true })
  await mkdir(join(served.root, 'work/old/invoices'), { recursive: true })
  await signIn(page, served)
  await choose(page, row(page, 'trips'), 'Move to…')
  const picker = dialog(page, /^Move/)
  await picker.getByRole('searchbox', { name: 'Find a folder' }).fill('invoices')
  const folders = picker.getByRole('list', { name: 'Folders' }).getByRole('button')
  await expect(folders).toHaveText([/^invoices.*old/])
  await page.keyboard.press('Enter')
  await expect(picker.getByRole('button', { name: 'invoices', exact: true })).toHaveAttribute('aria-current', 'location')
  await answer(picker, 'Move here')
  await expectNames(page, ['work'])
  // The list does not wait for the disk.
  await expect.poll(() => readdirSync(join(served.root, 'work/old/invoices'))).toEqual(['trips'])
})

test('one of six hundred folders can be found in the folder picker by keyboard alone', async ({ page, served }) => {
  for (let n = 1; n <= 600; n++) await mkdir(join(served.root, `folder ${n}`))
  await signIn(page, served)
  await choose(page, row(page, 'folder 1'), 'Copy to…')
  const picker = dialog(page, /^Copy/)
  await expect(picker.getByText('100 more folders')).toBeVisible()
  const filter = picker.getByRole('searchbox', { name: 'Find a folder' })
  await filter.focus()
  await page.keyboard.type('599')
  await expect(picker.getByRole('list', { name: 'Folders' }).getByRole('button')).toHaveText(['folder 599'])
  await page.keyboard.press('Enter')
  await expect(picker.getByText('This folder has no subfolders')).toBeVisible()
  // The folder shown is the target of the copy.
  await expect(picker.getByRole('list', { name: 'Folders' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectNotice(page, '1 item copied')
  expect(readdirSync(join(served.root, 'folder 599'))).toEqual(['folder 1'])
})

test('arrow keys go through the folders of the picker, and focus follows', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await mkdir(join(served.root, 'docs/deep'), { recursive: true })
  await mkdir(join(served.root, 'more'))
  await signIn(page, served)
  await choose(page, row(page, 'a.txt'), 'Copy to…')
  const picker = dialog(page, /^Copy/)
  await expect(picker.getByRole('button', { name: 'Copy here' })).toBeFocused()
  await picker.getByRole('button', { name: 'docs' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(picker.getByRole('button', { name: 'more' })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(picker.getByRole('button', { name: 'deep' })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(picker.getByRole('button', { name: 'Up one folder' })).toBeFocused()
})

test('a move starts with focus in the folder search, and Down moves to the folders', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await mkdir(join(served.root, 'docs'))
  await signIn(page, served)
  await choose(page, row(page, 'a.txt'), 'Move to…')
  const picker = dialog(page, /^Move/)
  await expect(picker.getByRole('searchbox', { name: 'Find a folder' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(picker.getByRole('button', { name: 'docs' })).toBeFocused()
  await page.keyboard.press('Enter')
  await answer(picker, 'Move here')
  await expectNames(page, ['docs'])
})

test('Enter confirms copy and move wherever the focus is in the dialog', async ({ page, served }) => {
  await served.write('b.txt', 'b')
  await mkdir(join(served.root, 'docs'))
  await signIn(page, served)
  await choose(page, row(page, 'b.txt'), 'Move to…')
  const moving = dialog(page, /^Move/)
  await moving.getByRole('button', { name: 'docs' }).click()
  await moving.getByRole('heading').click()
  await page.keyboard.press('Enter')
  await expectNames(page, ['docs'])
})

test('U1: Enter deletes for good only on the delete button, and the dialog names what will be deleted', async ({ page, served }) => {
  for (const name of ['docs/a.txt', 'docs/deep/b.txt', 'c.txt', 'd.txt']) await served.write(name, 'four')
  await signIn(page, served)
  await row(page, 'docs').click()
  await page.keyboard.press('Shift+Delete')
  const deleting = dialog(page, 'Delete “docs”?')
  await expect(deleting).toContainText('2 folders, 2 files · 8 bytes')
  await expect(deleting.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(deleting).toHaveCount(0)
  expect(existsSync(join(served.root, 'docs'))).toBe(true)
  await page.keyboard.press('Shift+Delete')
  await deleting.getByRole('heading').click()
  await page.keyboard.press('Enter')
  await expect(deleting).toBeVisible()
  await deleting.getByRole('button', { name: 'Delete permanently' }).focus()
  await page.keyboard.press('Enter')
  await expectNames(page, ['c.txt', 'd.txt'])
  // After everything was selected, a plain click selects only one.
  await page.keyboard.press('ControlOrMeta+a')
  await row(page, 'd.txt').click()
  await expectSelected(page, ['d.txt'])
})

test('U1: Enter alone deletes no users, links or visitors’ files, and discards no changes', async ({ page, served, elsewhere }) => {
  await served.write('docs/a.txt', 'a')
  const hash = await share(served, '/docs/', { rights: 'edit' })
  /** Enter where the question opens, and on its title, leaves everything as it is. */
  const refuses = async (on: Page, title: string) => {
    const question = dialog(on, title)
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await question.getByRole('heading').click()
    await on.keyboard.press('Enter')
    await expect(question).toBeVisible()
    await question.getByRole('button', { name: 'Cancel' }).focus()
    await on.keyboard.press('Enter')
    await expect(question).toHaveCount(0)
  }
  await signIn(page, served)
  await page.goto(`${served.url}/shared`)
  await page.getByRole('button', { name: `Delete link ${hash}` }).click()
  await refuses(page, 'Delete this link?')
  await page.goto(`${served.url}/settings/users`)
  await page.getByRole('link', { name: 'reader' }).click()
  await page.getByRole('button', { name: 'Delete user' }).click()
  await refuses(page, 'Delete reader?')
  await page.getByLabel('Username').fill('another')
  await page.getByRole('link', { name: 'My files' }).click()
  await refuses(page, 'Discard changes?')
  await expect(page.getByLabel('Username')).toHaveValue('another')

  const visitor = await elsewhere()
  await visitor.goto(`${served.url}/share/${hash}/`)
  await visitor
    .getByRole('row')
    .first()
    .click({ modifiers: ['ControlOrMeta'] })
  await visitor.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
  await refuses(visitor, 'Delete 1 item?')
  expect(readdirSync(join(served.root, 'docs'))).toEqual(['a.txt'])
})

test('every dialog returns focus to its entry', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await signIn(page, served)
  await row(page, 'a.txt').focus()
  await page.keyboard.press('Space')
  for (const [key, title] of [
    ['F2', /^Rename/],
    ['Delete', /^Delete/],
    ['F1', 'Help'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(dialog(page, title)).toBeVisible()
    await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(row(page, 'a.txt')).toBeFocused()
  }
})

test('renaming to the same name shows an inline error and sends no request', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await signIn(page, served)
  await choose(page, row(page, 'a.txt'), 'Rename')
  const prompt = dialog(page, /^Rename/)
  await expect(prompt.getByRole('button', { name: 'Rename' })).toHaveAttribute('aria-disabled', 'true')
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.url()))
  await prompt.getByRole('textbox').press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(sent).toEqual([])
  expect(existsSync(join(served.root, 'a.txt'))).toBe(true)
})

test('the help lists every specified key', async ({ page, served }) => {
  await signIn(page, served)
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await page.keyboard.press('F1')
  const help = dialog(page, 'Help')
  for (const [what, keys] of [
    ['Rename', 'F2'],
    ['Delete', 'Delete'],
    ['Search', 'CtrlF'],
    ['Copy', 'CtrlC'],
    ['Cut', 'CtrlX'],
    ['Paste', 'CtrlV'],
    ['Select all', 'CtrlA'],
    ['Download', 'CtrlS'],
    ['This help', 'F1'],
    ['Confirm a dialog', 'Enter'],
    ['Close a dialog, clear the selection', 'Esc'],
    ['Select a range', 'ShiftClick'],
  ] as const) {
    const term = help.locator('dl > div').filter({ has: page.getByText(what, { exact: true }) })
    await expect(term.locator('dd').first()).toHaveText(new RegExp(keys.split(/(?<=[a-z])(?=[A-Z])/).join('\\W*')))
  }
})

test('the new-folder dialog of the picker and the conflict dialog of the editor have no axe violations', async ({
  page,
  served,
  complaints,
}) => {
  complaints.foresee(/status of 412/)
  await served.write('a.txt', 'a')
  await signIn(page, served)
  await choose(page, row(page, 'a.txt'), 'Copy to…')
  const picker = dialog(page, /^Copy/)
  await picker.getByRole('button', { name: 'New folder' }).click()
  await page.keyboard.press('Enter')
  await expect(picker.getByText('Enter a name.')).toBeVisible()
  await expectAccessible(page, 'new folder in the picker')
  await picker.getByRole('button', { name: 'Cancel' }).last().click()
  await choose(page, row(page, 'a.txt'), 'Open')
  const text = page.getByRole('textbox', { name: 'a.txt' })
  await expect(text).toBeFocused()
  await page.keyboard.type('mine ')
  await served.write('a.txt', 'theirs, and longer')
  await page.keyboard.press('ControlOrMeta+s')
  const changed = page.getByRole('dialog')
  await expect(changed).toBeVisible()
  await expectAccessible(page, 'a text that was changed')
  await page.keyboard.press('Escape')
  await expect(changed).toHaveCount(0)
  await expect(text).toContainText('mine')
  expect(readFileSync(join(served.root, 'a.txt'), 'utf8')).toBe('theirs, and longer')
})

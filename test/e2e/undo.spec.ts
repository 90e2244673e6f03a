import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { answer, choose, dialog, expectNames, row, fillName } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, signIn, test } from './served.ts'

test('Ctrl+Z and Ctrl+Shift+Z take back and do again a rename, a move, a new folder and a save, also after a reload', async ({
  page,
  served,
}) => {
  for (const name of ['docs/x.txt', 'a.txt', 'b.txt']) await served.write(name, name)
  await signIn(page, served)
  await choose(page, row(page, 'a.txt'), 'Rename')
  await fillName(dialog(page, 'Rename “a.txt”'), 'z.txt')
  await page.keyboard.press('Enter')
  await expectNames(page, ['docs', 'b.txt', 'z.txt'])
  await row(page, 'b.txt').dragTo(row(page, 'docs'))
  await expectNames(page, ['docs', 'z.txt'])
  await page.keyboard.press('ControlOrMeta+z')
  await expectNotice(page, '“b.txt” moved back')
  await expectNames(page, ['docs', 'b.txt', 'z.txt'])
  await page.reload()
  await expect(row(page, 'z.txt')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expectNames(page, ['docs', 'a.txt', 'b.txt'])
  await page.keyboard.press('ControlOrMeta+z')
  await expectNotice(page, 'Nothing to undo')
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expectNotice(page, 'Redone: Rename “z.txt”')
  await expectNames(page, ['docs', 'b.txt', 'z.txt'])
  await page.keyboard.press('ControlOrMeta+y')
  await expectNotice(page, 'Redone: Move “b.txt”')
  await expectNames(page, ['docs', 'z.txt'])
  expect(await readFile(join(served.root, 'docs/b.txt'), 'utf8')).toBe('b.txt')
  await page.keyboard.press('ControlOrMeta+y')
  await expectNotice(page, 'Nothing to redo')
})

test('an upload is taken back as a whole, and the menu and the palette name it', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await signIn(page, served)
  await upload(page, ['b.txt', 'c.txt'])
  await expectNotice(page, '2 files uploaded')
  await expectNames(page, ['a.txt', 'b.txt', 'c.txt'])
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: /^Undo: Add “[bc]\.txt” \+1/ })).toBeVisible()
  await expectAccessible(page, 'the menu of a folder with Undo')
  await page.getByRole('menuitem', { name: /^Undo: / }).click()
  await expectNotice(page, '2 items moved to the trash')
  await expectNames(page, ['a.txt'])
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('option', { name: /^Redo: Add “[bc]\.txt” \+1/ }).click()
  await expectNames(page, ['a.txt', 'b.txt', 'c.txt'])
})

test('what was changed since stays as it is and is named; the rest is taken back', async ({ page, served }) => {
  for (const name of ['docs/x.txt', 'a.txt', 'b.txt']) await served.write(name, name)
  await signIn(page, served)
  await row(page, 'a.txt').click()
  await row(page, 'b.txt').click({ modifiers: ['ControlOrMeta'] })
  await page.keyboard.press('Delete')
  await answer(page.getByRole('dialog', { name: /^Delete / }), 'Move to trash')
  await expectNames(page, ['docs'])
  await expectNotice(page, '2 items moved to the trash')
  await served.write('a.txt', 'another')
  await page.keyboard.press('ControlOrMeta+z')
  await expectNotice(page, '“a.txt” could not be restored')
  await expect(page.getByRole('alert')).toContainText('“b.txt” restored.')
  expect(await readFile(join(served.root, 'a.txt'), 'utf8')).toBe('another')
  expect(existsSync(join(served.root, 'b.txt'))).toBe(true)
})

test('a save is taken back in the list, and the editor keeps its own undo', async ({ page, served }) => {
  await served.write('a.txt', 'first')
  await signIn(page, served, '/files/a.txt')
  const text = page.getByRole('textbox', { name: 'a.txt', exact: true })
  await text.press('ControlOrMeta+End')
  await page.keyboard.type(' second')
  await page.keyboard.press('ControlOrMeta+s')
  await expectNotice(page, 'Saved')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(text).toHaveText('first')
  expect(await readFile(join(served.root, 'a.txt'), 'utf8')).toBe('first second')
  await page.goto(`${served.url}/files/`)
  await expect(row(page, 'a.txt')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expectNotice(page, 'Earlier content of “a.txt” restored')
  expect(await readFile(join(served.root, 'a.txt'), 'utf8')).toBe('first')
})

async function upload(page: Page, names: readonly string[]): Promise<void> {
  const files = names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) }))
  await page.locator('[data-part=pick-files]').setInputFiles(files)
}

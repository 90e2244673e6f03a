import { readFileSync } from 'node:fs'
import { tarOf, zipOf } from '../contract/archive-samples.ts'
import { expectAccessible } from './axe.ts'
import { answer, choose, dialog, expectNames, row } from './listing.ts'
import { expect, signIn, test } from './served.ts'

const BYTES = zipOf([
  { name: 'docs/a.txt', text: 'the text of a', deflate: true },
  { name: 'docs/deep/b.txt', text: 'b' },
  { name: 'c.txt', text: 'new' },
  { name: '../out.txt', text: 'out' },
])

test('an archive can be browsed, a single file or all of it extracted, and name conflicts ask', async ({ page, served }) => {
  await served.write('x.zip', BYTES)
  await served.write('to/c.txt', 'mine')
  await signIn(page, served)
  await row(page, 'x.zip').dblclick()
  const archive = page.locator('[data-part=archive]')
  await archive.getByRole('button', { name: 'docs', exact: true }).click()
  await expect(archive.getByText('1 item was skipped')).toBeVisible()
  await expectAccessible(page, 'the content of an archive')
  const coming = page.waitForEvent('download')
  await archive.getByRole('link', { name: 'Download “a.txt”' }).click()
  const download = await coming
  expect([download.suggestedFilename(), readFileSync(await download.path(), 'utf8')]).toEqual(['a.txt', 'the text of a'])
  await archive.getByRole('button', { name: 'Archive root' }).click()
  await page.keyboard.press('Escape')

  await choose(page, row(page, 'x.zip'), 'Extract to…')
  const where = dialog(page, 'Extract “x.zip” to…')
  await where.getByRole('button', { name: 'to', exact: true }).click()
  await answer(where, 'Extract here')
  const taken = dialog(page, '“c.txt”')
  await taken.getByRole('radio', { name: /Keep both/ }).check()
  await answer(taken, 'Continue')
  const tray = page.locator('[data-part=tray]')
  await expect(tray.getByText('3 items extracted')).toBeVisible()
  await expectAccessible(page, 'the tray with a job')
  await row(page, 'to').dblclick()
  await expectNames(page, ['docs', 'c.txt', 'c(1).txt'])
  await tray.getByRole('button', { name: 'Dismiss “x.zip”' }).click()
  await expect(tray).toHaveCount(0)
})

test('“Extract here” creates a folder, an unreadable archive shows the reason, and a selection can be compressed', async ({
  page,
  served,
}) => {
  await served.write('x.zip', BYTES)
  await served.write('one.tar', tarOf([{ name: 'only/a.txt', text: 'a' }]))
  await served.write('bad.zip', zipOf([{ name: 'a', text: 'a', crc: 1 }]))
  await signIn(page, served)
  const tray = page.locator('[data-part=tray]')
  await choose(page, row(page, 'x.zip'), 'Extract here')
  await expect(row(page, 'x')).toBeVisible()
  await choose(page, row(page, 'one.tar'), 'Extract here')
  await expect(row(page, 'only')).toBeVisible()
  await choose(page, row(page, 'bad.zip'), 'Extract here')
  await expect(tray.getByText('The archive is damaged or incomplete.')).toBeVisible()
  await row(page, 'only').click()
  await row(page, 'x').click({ modifiers: ['ControlOrMeta'] })
  await choose(page, row(page, 'x'), 'Compress…')
  const prompt = dialog(page, 'Compress 2 items')
  await prompt.getByLabel('Name').fill('bad')
  await prompt.getByRole('button', { name: 'Compress' }).click()
  await expect(prompt.getByText('“bad.zip” already exists here.')).toBeVisible()
  await prompt.getByLabel('Name').fill('both')
  await prompt.getByLabel('Format').selectOption('tar.zst')
  await expectAccessible(page, 'the compress prompt')
  await answer(prompt, 'Compress')
  await expect(row(page, 'both.tar.zst')).toBeVisible()
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { answer, choose, dialog, pick, row } from './listing.ts'
import { expectNotice } from './notices.ts'
import { PNG } from './samples.ts'
import { expect, type Served, signIn, test } from './served.ts'
import { reachForBar } from './stage.ts'

test('what a file held before is listed, shown, compared and restored, and that can be undone', async ({ page, served }) => {
  await signIn(page, served)
  await write(page, served, 'plan.txt', ['one\ntwo\nthree\n', 'one\n2\nthree\n', 'one\n2\nthree\nfour\n'])
  await choose(page, row(page, 'plan.txt'), 'Version history')
  const history = dialog(page, 'Version history')
  await expect(versions(page)).toHaveCount(3)
  await expect(versions(page).nth(0)).toContainText('Current version')
  await expect(versions(page).nth(1)).toContainText(/Replaced by .*admin.* · now/)
  await expect(versions(page).nth(1)).toHaveAttribute('aria-selected', 'true')
  await expect(versions(page).nth(1)).toBeFocused()
  const text = history.getByRole('textbox')
  await expect(text).toContainText('2three')
  await expectAccessible(page, 'the versions of a text')

  await page.keyboard.press('ArrowDown')
  await expect(versions(page).nth(2)).toBeFocused()
  await expect(text).toContainText('onetwothree')
  await pick(page, 'Compare')
  await expect(history.getByRole('textbox')).toHaveCount(2)
  await expect(history.getByRole('status')).toHaveText('2 changes')
  await history.getByRole('button', { name: 'Next change' }).click()
  await expectAccessible(page, 'a comparison of texts')
  const saving = page.waitForEvent('download')
  await history.getByRole('link', { name: 'Download' }).click()
  expect(await readFile(await (await saving).path(), 'utf8')).toBe('one\ntwo\nthree\n')

  await history.getByRole('button', { name: 'Restore' }).click()
  await expect(history).toHaveCount(0)
  await expectNotice(page, 'restored')
  expect(await onDisk(served, 'plan.txt')).toBe('one\ntwo\nthree\n')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectNotice(page, 'Earlier content of “plan.txt” restored')
  expect(await onDisk(served, 'plan.txt')).toBe('one\n2\nthree\nfour\n')
})

test('the editor shows what is restored, and what is unsaved is given up only after a question', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 412/)
  await signIn(page, served)
  await write(page, served, 'a.txt', ['first', 'second'])
  await page.goto(`${served.url}/files/a.txt`)
  const text = page.getByRole('textbox', { name: 'a.txt', exact: true })
  await expect(text).toHaveText('second')
  const open = () => page.getByRole('button', { name: 'Version history' }).click()
  await open()
  await restore(page)
  await expect(text).toHaveText('first')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(text).toHaveText('second')

  await text.press('ControlOrMeta+End')
  await page.keyboard.type(' mine')
  await open()
  await dialog(page, 'Version history').getByRole('button', { name: 'Restore' }).click()
  await answer(dialog(page, 'Discard changes?'), 'Cancel')
  await page.keyboard.press('Escape')
  await expect(text).toHaveText('second mine')
  await open()
  await dialog(page, 'Version history').getByRole('button', { name: 'Restore' }).click()
  await answer(dialog(page, 'Discard changes?'), 'Discard changes')
  await expect(text).toHaveText('first')
  await expect(page.getByRole('img', { name: 'Unsaved changes' })).toHaveCount(0)

  // An undo does not take what was typed since. The notice stays below the pointer.
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.hover()
  await text.press('ControlOrMeta+End')
  await page.keyboard.type(' more')
  await undo.click()
  await expect.poll(() => onDisk(served, 'a.txt')).toBe('second')
  await expect(text).toHaveText('first more')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(dialog(page, /changed/)).toBeVisible()
})

test('pictures are compared with a slider, by keyboard too, and a version is deleted for good', async ({ page, served }) => {
  await signIn(page, served)
  await write(page, served, 'sea.png', [PNG, Buffer.concat([PNG, Buffer.from('what follows a picture is not shown')])])
  await page.goto(`${served.url}/files/sea.png`)
  await expect(page.getByRole('img', { name: 'sea.png' })).toBeVisible()
  await reachForBar(page)
  await page.getByRole('button', { name: 'Version history' }).click()
  const history = dialog(page, 'Version history')
  await expect(history.getByRole('img', { name: 'sea.png' })).toHaveAttribute('src', /\/api\/versions\/sea\.png\?id=/)
  await expectAccessible(page, 'a version of a picture')
  await pick(page, 'Compare')
  const slider = history.getByRole('slider', { name: 'How much of this version is shown' })
  await expect(slider).toHaveAttribute('aria-valuetext', '50%')
  await slider.focus()
  await page.keyboard.press('End')
  await expect(slider).toHaveAttribute('aria-valuetext', '100%')
  await page.keyboard.press('ArrowLeft')
  await expect(slider).toHaveAttribute('aria-valuetext', '99%')
  await expectAccessible(page, 'a comparison of pictures')

  await history.getByRole('button', { name: 'Delete version' }).click()
  const deleting = dialog(page, 'Delete this version?')
  await expect(deleting.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await answer(deleting, 'Delete permanently')
  await expect(history.getByRole('heading', { name: 'No earlier versions' })).toBeVisible()
  await expect(history).toContainText('When this file is changed or overwritten here')
  await expectAccessible(page, 'no versions')
})

test('versions are offered by right: to look at them one may download, to restore them one may modify', async ({
  page,
  served,
  elsewhere,
}) => {
  await signIn(page, served)
  await write(page, served, 'a.txt', ['first', 'second'])
  const reader = await elsewhere()
  await signIn(reader, served, '/files/', 'reader')
  await row(reader, 'a.txt').click({ button: 'right' })
  await reader.getByRole('menuitem', { name: 'Version history' }).click()
  await expect(versions(reader)).toHaveCount(2)
  await expect(dialog(reader, 'Version history').getByRole('textbox')).toHaveText('first')
  await expect(reader.getByRole('button', { name: 'Restore' })).toHaveCount(0)
  await expect(reader.getByRole('button', { name: 'Delete version' })).toHaveCount(0)

  // From the palette too, for the selected file.
  await row(page, 'a.txt').click()
  await expect(row(page, 'a.txt')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('version history')
  await expect(page.getByRole('option', { name: /^Version history/, selected: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(versions(page)).toHaveCount(2)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the list comes first, a tap shows a version, and texts are compared in one column', async ({ page, served }) => {
    await signIn(page, served)
    const name = 'A very long name of a letter from the mountains.txt'
    await write(page, served, name, ['one\ntwo\n', 'one\n2\n'])
    await page.getByRole('button', { name: /^Actions for/ }).tap()
    await page.getByRole('menuitem', { name: 'Version history' }).tap()
    await expect(versions(page)).toHaveCount(2)
    await expectAccessible(page, 'versions on a phone')
    await versions(page).nth(1).tap()
    const history = dialog(page, 'Version history')
    await expect(history.getByRole('textbox')).toHaveText('onetwo')
    await pick(page, 'Compare')
    await expect(history.getByRole('status')).toHaveText('1 change')
    await expect(history.getByRole('textbox')).toHaveCount(1)
    await expectAccessible(page, 'a comparison on a phone')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await history.getByRole('button', { name: 'Back to the list' }).tap()
    await expect(versions(page)).toHaveCount(2)
    await versions(page).nth(1).tap()
    await restore(page)
    expect(await onDisk(served, name)).toBe('one\ntwo\n')
  })
})

test('administrators decide how long versions are kept, and how many', async ({ page, served }) => {
  await signIn(page, served)
  await write(page, served, 'a.txt', ['first', 'second'])
  await page.goto(`${served.url}/settings/global`)
  await page.getByLabel('Keep versions for (days)').fill('0')
  await page.getByLabel('At most this much of a disk for versions (percent)').fill('101')
  await expect(page.getByText('Enter a valid number.')).toBeVisible()
  await page.getByLabel('At most this much of a disk for versions (percent)').fill('25')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectNotice(page, 'Settings updated')
  await write(page, served, 'b.txt', ['first', 'second'])
  await page.goto(`${served.url}/files/`)
  await choose(page, row(page, 'b.txt'), 'Version history')
  await expect(page.getByRole('heading', { name: 'Versions are off' })).toBeVisible()
})

/** Uploads one content over the other. */
async function write(page: Page, { url }: Served, name: string, contents: readonly (string | Buffer)[]): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
  const address = `${url}/api/resources/${encodeURIComponent(name)}?override=true`
  for (const data of contents) expect((await page.request.post(address, { headers: { 'x-auth': token }, data })).ok()).toBe(true)
  if (page.url().endsWith('/files/')) await expect(page.getByRole('button', { name: `Actions for ${name}`, exact: true })).toBeVisible()
}

function versions(page: Page): Locator {
  return page.getByRole('listbox', { name: 'Versions' }).getByRole('option')
}

async function restore(page: Page): Promise<void> {
  await answer(dialog(page, 'Version history'), 'Restore')
  await expectNotice(page, 'restored')
}

function onDisk({ root }: Served, name: string): Promise<string> {
  return readFile(join(root, name), 'utf8')
}

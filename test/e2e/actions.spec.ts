import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { answer, choose, details, dialog, expectNames, expectSelected, row, fillName } from './listing.ts'
import { expectNotice, expectReadAloud } from './notices.ts'
import { PNG } from './samples.ts'
import { expect, signIn, test } from './served.ts'

/** A job as the server tells of one for which there was no room. */
const NO_ROOM = { code: 'storage-full', detail: {} }
const FAILED = { state: 'failed', items: 0, failed: { count: 1, first: [{ path: '/old', error: NO_ROOM }] }, error: NO_ROOM }

const LONG = `${'a very long name '.repeat(13)}to its end.txt`

test('a new folder gets a trimmed name and is selected, and an empty name is refused', async ({ page, served }) => {
  await served.write('taken/a.txt', '')
  await signIn(page, served)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'New folder' }).click()
  const prompt = dialog(page, 'New folder')
  const field = prompt.getByRole('textbox', { name: 'Folder name' })
  await expect(field).toBeFocused()
  await field.fill('   ')
  await page.keyboard.press('Enter')
  await expect(prompt.getByText('Enter a name.')).toBeVisible()
  await field.fill('taken')
  await expect(prompt.getByText('“taken” already exists here.')).toBeVisible()
  await field.fill('a/b')
  await expect(prompt.getByText('Names can’t contain a slash.')).toBeVisible()
  await field.fill('  plans  ')
  await answer(prompt, 'Create')
  await expect(row(page, 'plans')).toBeFocused()
  await expectSelected(page, ['plans'])
  await expect.poll(() => existsSync(join(served.root, 'plans'))).toBe(true)
})

test('a new file opens in the editor', async ({ page, served }) => {
  await signIn(page, served)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'New file' }).click()
  const prompt = dialog(page, 'New file')
  await prompt.getByRole('textbox').fill('todo.md')
  await answer(prompt, 'Create')
  await expect(page.getByRole('textbox', { name: 'todo.md' })).toBeFocused()
  await expect(page).toHaveURL(`${served.url}/files/todo.md`)
  expect(readFileSync(join(served.root, 'todo.md'), 'utf8')).toBe('')
})

test('renaming selects the stem, trims the name, and refuses empty and taken names', async ({ page, served }) => {
  await served.write('report.tar.gz', 'r')
  await served.write('other.txt', 'o')
  await signIn(page, served)
  await choose(page, row(page, 'report.tar.gz'), 'Rename')
  const prompt = dialog(page, 'Rename “report.tar.gz”')
  const field = prompt.getByRole('textbox', { name: 'New name' })
  await expect(field).toBeFocused()
  expect(await field.evaluate((input: HTMLInputElement) => input.value.slice(0, input.selectionEnd ?? 0))).toBe('report')
  await field.fill(' ')
  await page.keyboard.press('Enter')
  await expect(prompt.getByText('Enter a name.')).toBeVisible()
  await field.fill('other.txt')
  await expect(prompt.getByText('“other.txt” already exists here.')).toBeVisible()
  await field.fill(' final.tar.gz ')
  await answer(prompt, 'Rename')
  await expectNames(page, ['final.tar.gz', 'other.txt'])
  await expectSelected(page, ['final.tar.gz'])
  await expect.poll(() => onDisk(served.root)).toEqual(['final.tar.gz', 'other.txt'])
})

test('a rename that the server refuses restores the old name and shows the reason', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 409|net::ERR/)
  // So that the page does not hear of it in time.
  await page.route('**/api/live/**', (route) => route.abort())
  await served.write('a.txt', 'a')
  await signIn(page, served)
  await choose(page, row(page, 'a.txt'), 'Rename')
  const prompt = dialog(page, 'Rename “a.txt”')
  await fillName(prompt, 'b.txt')
  await served.write('b.txt', 'somebody was faster')
  await answer(prompt, 'Rename')
  await expectNotice(page, '“/b.txt” already exists.')
  await expectNames(page, ['a.txt', 'b.txt'])
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).first().click()
  await expect(page.getByText('“/b.txt” already exists.')).toHaveCount(0)
})

test('notices undo a rename, a move, a copy and a replacement', async ({ page, served }) => {
  for (const name of ['a.txt', 'b.txt']) await served.write(name, name)
  await served.write('docs/b.txt', 'another')
  await signIn(page, served)
  const undo = page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' })
  await choose(page, row(page, 'a.txt'), 'Rename')
  await fillName(dialog(page, 'Rename “a.txt”'), 'z.txt')
  await page.keyboard.press('Enter')
  await undo.click()
  await expectNames(page, ['docs', 'a.txt', 'b.txt'])

  const inDocs = () => onDisk(join(served.root, 'docs'))
  await row(page, 'a.txt').dragTo(row(page, 'docs'))
  await expectNames(page, ['docs', 'b.txt'])
  await undo.click()
  await expectNames(page, ['docs', 'a.txt', 'b.txt'])
  await expect.poll(() => onDisk(served.root)).toEqual(['a.txt', 'b.txt', 'docs'])

  await page.keyboard.down('Control')
  await row(page, 'a.txt').dragTo(row(page, 'docs'))
  await page.keyboard.up('Control')
  await expect.poll(inDocs).toEqual(['a.txt', 'b.txt'])
  await undo.click()
  await expect.poll(inDocs).toEqual(['b.txt'])
  await expect(undo).toHaveCount(0)

  await row(page, 'b.txt').dragTo(row(page, 'docs'))
  const clash = dialog(page, /already exists/)
  await clash.getByRole('radio', { name: 'Replace' }).check()
  await answer(clash, 'Continue')
  await expectNotice(page, '1 item moved')
  await undo.click()
  await expectNames(page, ['docs', 'a.txt', 'b.txt'])
  await expect.poll(() => readFileSync(join(served.root, 'docs/b.txt'), 'utf8')).toBe('another')
})

test('an entry that the server refuses to delete or move reappears, and the reason can be read again later', async ({
  page,
  served,
  complaints,
}) => {
  complaints.foresee(/status of 5\d\d/)
  for (const name of ['docs/x.txt', 'a.txt', 'b.txt']) await served.write(name, name)
  await page.route('**/api/resources/*', async (route) => {
    if (!['DELETE', 'PATCH'].includes(route.request().method())) return route.continue()
    return route.fulfill({ status: 500, json: { code: 'unexpected', detail: { incident: 'x' } } })
  })
  await signIn(page, served)
  const notices = page.getByRole('region', { name: 'Notices' })
  await row(page, 'a.txt').click()
  await page.keyboard.press('Delete')
  await answer(dialog(page, 'Delete “a.txt”?'), 'Move to trash')
  await expectNotice(page, '“a.txt” was not deleted')
  await expectNames(page, ['docs', 'a.txt', 'b.txt'])
  await row(page, 'b.txt').dragTo(row(page, 'docs'))
  await expectNotice(page, '“b.txt” was not moved')
  await expectNames(page, ['docs', 'a.txt', 'b.txt'])
  for (const _ of ['first', 'second']) await notices.getByRole('alert').getByRole('button', { name: 'Close' }).first().click()
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Recent notices' }).click()
  await expect(dialog(page, 'Recent notices')).toContainText('“a.txt” was not deleted')
})

test('U6: copy and move let the user choose a folder, stay in the current one and link to the other; moving to the same folder is disabled', async ({
  page,
  served,
}) => {
  await served.write('a.txt', 'a')
  await served.write('b.txt', 'b')
  await mkdir(join(served.root, 'docs/old'), { recursive: true })
  await signIn(page, served)
  await choose(page, row(page, 'a.txt'), 'Copy to…')
  const copying = dialog(page, 'Copy “a.txt” to…')
  await copying.getByRole('button', { name: 'docs' }).click()
  await copying.getByRole('button', { name: 'old', exact: true }).click()
  await answer(copying, 'Copy here')
  await expectNotice(page, '1 item copied')
  await expect.poll(() => onDisk(join(served.root, 'docs/old'))).toEqual(['a.txt'])
  // One stays, and the notice has the way there.
  await expect(page).toHaveURL(`${served.url}/files/`)
  await choose(page, row(page, 'b.txt'), 'Move to…')
  const moving = dialog(page, 'Move “b.txt” to…')
  await expect(moving.getByRole('button', { name: 'Move here' })).toHaveAttribute('aria-disabled', 'true')
  await moving.getByRole('button', { name: 'docs' }).click()
  await answer(moving, 'Move here')
  await page.locator('[data-part=notice]', { hasText: '1 item moved' }).getByRole('button', { name: 'Show' }).click()
  await expectNames(page, ['old', 'b.txt'])
  await expectSelected(page, ['b.txt'])
  await expect.poll(() => onDisk(served.root)).toEqual(['a.txt', 'docs'])
  // Nobody knows how much a folder holds: the server does it beside the uploads, and says so at its end.
  await choose(page, row(page, 'old'), 'Copy to…')
  const far = dialog(page, 'Copy “old” to…')
  await far.getByRole('button', { name: 'Home' }).click()
  await answer(far, 'Copy here')
  await expectNotice(page, '1 item copied')
  await expect(page.getByRole('region', { name: 'Uploads', exact: true })).toContainText('Copied 1')
  await expect.poll(() => onDisk(served.root)).toEqual(['a.txt', 'docs', 'old'])

  // One that ends badly says so too, and what was cut for it can be pasted again.
  await page.route(/api\/jobs$/, async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const response = await route.fetch()
    const [last, ...others] = (await response.json()) as { kind: string }[]
    return route.fulfill({ response, json: last?.kind === 'move' ? [{ ...last, ...FAILED }, ...others] : [last, ...others] })
  })
  await expectSelected(page, ['old'])
  await page.keyboard.press('ControlOrMeta+x')
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link').first().click()
  await expectNames(page, ['docs', 'old', 'a.txt'])
  await page.keyboard.press('ControlOrMeta+v')
  await answer(dialog(page, '“old” already exists'), 'Continue')
  const alert = page.getByRole('region', { name: 'Notices' }).getByRole('alert')
  await expect(alert).toContainText('“old” was not moved')
  await expect(alert).toContainText('The server has run out of disk space.')
  await choose(page, row(page, 'a.txt'), 'Paste')
})

test('U6: the destination opens after a move if the preferences say so', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await mkdir(join(served.root, 'docs'))
  await signIn(page, served, '/files/')
  await page.goto(`${served.url}/settings/profile`)
  const opens = page.getByRole('switch', { name: 'Open the destination after copying or moving' })
  await expect(opens).not.toBeChecked()
  await opens.check()
  await page.getByRole('form').or(page.locator('form')).filter({ has: opens }).getByRole('button', { name: 'Save', exact: true }).click()
  await expectNotice(page, 'Settings updated!')
  await page.goto(`${served.url}/files/`)
  await choose(page, row(page, 'a.txt'), 'Move to…')
  const moving = dialog(page, 'Move “a.txt” to…')
  await moving.getByRole('button', { name: 'docs' }).click()
  await answer(moving, 'Move here')
  await expect(page).toHaveURL(`${served.url}/files/docs/`)
  await expectNames(page, ['a.txt'])
})

test('the delete dialog names the item or the count, and Cancel keeps it', async ({ page, served }) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await served.write(name, name)
  await signIn(page, served)
  await row(page, 'a.txt').click()
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
  await answer(dialog(page, 'Delete “a.txt”?'), 'Cancel')
  await expectSelected(page, ['a.txt'])
  await row(page, 'b.txt').click({ modifiers: ['Shift'] })
  await page.keyboard.press('Delete')
  await expect(dialog(page, 'Delete 2 items?').getByRole('button', { name: 'Move to trash' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectNotice(page, '2 items moved to the trash')
  await expectNames(page, ['c.txt'])
  await expect(row(page, 'c.txt')).toBeFocused()
})

test('focus moves to the next entry after a deletion', async ({ page, served }) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']) await served.write(name, name)
  await signIn(page, served)
  await row(page, 'e.txt').click()
  await page.keyboard.press('F2')
  await expect(dialog(page, 'Rename “e.txt”').getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(row(page, 'e.txt')).toBeFocused()
  await row(page, 'b.txt').click()
  await page.keyboard.press('Delete')
  await answer(dialog(page, 'Delete “b.txt”?'), 'Move to trash')
  await expect(row(page, 'b.txt')).toHaveCount(0)
  await expect(row(page, 'c.txt')).toBeFocused()
})

test('the only entry, and the last of several, can be deleted', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await served.write('b.txt', 'b')
  await signIn(page, served)
  for (const name of ['b.txt', 'a.txt']) {
    await choose(page, row(page, name), 'Delete')
    await answer(dialog(page, `Delete “${name}”?`), 'Move to trash')
    await expect(row(page, name)).toHaveCount(0)
  }
  await expect(page.getByText('This folder is empty')).toBeVisible()
})

test('a name conflict can be resolved by replacing, keeping both or skipping', async ({ page, served }) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) {
    await served.write(name, `new ${name}`)
    await served.write(`docs/${name}`, `old ${name}`)
  }
  await signIn(page, served)
  await row(page, 'a.txt').click()
  await row(page, 'c.txt').click({ modifiers: ['Shift'] })
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Copy to…' }).click()
  const picker = dialog(page, 'Copy 3 items to…')
  await picker.getByRole('button', { name: 'docs' }).click()
  await answer(picker, 'Copy here')
  for (const [name, what] of [
    ['a.txt', 'Replace'],
    ['b.txt', 'Keep both'],
    ['c.txt', 'Skip'],
  ] as const) {
    const clash = dialog(page, `“${name}” already exists`)
    await clash.getByRole('radio', { name: what }).first().check()
    if (name !== 'c.txt') await clash.getByRole('checkbox', { name: /Apply to the next/ }).uncheck()
    await clash.getByRole('button', { name: 'Continue' }).click()
  }
  const docs = (): Record<string, string> =>
    Object.fromEntries(readdirSync(join(served.root, 'docs')).map((name) => [name, readFileSync(join(served.root, 'docs', name), 'utf8')]))
  await expect.poll(docs).toEqual({ 'a.txt': 'new a.txt', 'b.txt': 'old b.txt', 'b(1).txt': 'new b.txt', 'c.txt': 'old c.txt' })
})

test('cut and paste moves and empties the clipboard; copy and paste in the same folder makes a renamed copy', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await served.write('docs/b.txt', 'b')
  await signIn(page, served)
  await row(page, 'a.txt').click()
  await page.keyboard.press('ControlOrMeta+c')
  await page.keyboard.press('ControlOrMeta+v')
  await expectNames(page, ['docs', 'a.txt', 'a(1).txt'])
  await row(page, 'a(1).txt').click()
  await page.keyboard.press('ControlOrMeta+x')
  await row(page, 'docs').dblclick()
  await expect(row(page, 'b.txt')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+v')
  await expectNames(page, ['a(1).txt', 'b.txt'])
  await page.keyboard.press('ControlOrMeta+v')
  await page.keyboard.press('Backspace')
  await expectNames(page, ['docs', 'a.txt'])
  await expect.poll(() => onDisk(join(served.root, 'docs'))).toEqual(['a(1).txt', 'b.txt'])
})

test('dragging onto a folder moves the entry; dragging onto a selected folder does nothing', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await served.write('b.txt', 'b')
  await mkdir(join(served.root, 'docs'))
  await signIn(page, served)
  await row(page, 'a.txt').dragTo(row(page, 'docs'))
  await expect(row(page, 'a.txt')).toHaveCount(0)
  await expect.poll(() => readdirSync(join(served.root, 'docs'))).toEqual(['a.txt'])
  await page.goto(`${served.url}/files/`)
  await row(page, 'docs').click()
  await row(page, 'b.txt').click({ modifiers: ['ControlOrMeta'] })
  await row(page, 'b.txt').dragTo(row(page, 'docs'))
  await expectNames(page, ['docs', 'b.txt'])
  expect(readdirSync(join(served.root, 'docs'))).toEqual(['a.txt'])
})

test('a download has the name and the bytes of the file', async ({ page, served }) => {
  const name = `100% a+b #é'.bin`
  await served.write(name, new Uint8Array([0, 1, 2, 255]))
  await signIn(page, served)
  const downloading = page.waitForEvent('download')
  await choose(page, row(page, name), 'Download')
  const download = await downloading
  expect(download.suggestedFilename()).toBe(name)
  expect([...readFileSync(await download.path())]).toEqual([0, 1, 2, 255])
})

test('the information dialog shows exact values, and checksums on request', async ({ page, served }) => {
  await served.write(LONG, '')
  await served.write('hello.txt', 'hello')
  await signIn(page, served)
  // The middle of its name has no room, its end has; the whole of it is in the tooltip and in the dialog.
  const end = row(page, LONG).getByText('end.txt', { exact: false }).last()
  await expect(end).toBeInViewport({ ratio: 1 })
  await expect(row(page, LONG).getByTitle(LONG)).toBeVisible()
  await choose(page, row(page, LONG), 'Details')
  await expect(details(page)).toContainText(LONG)
  await page.keyboard.press('Escape')
  await choose(page, row(page, 'hello.txt'), 'Details')
  const info = details(page)
  await expect(info).toContainText('5 bytes')
  await info.locator('summary').click()
  await info.getByRole('button', { name: 'Show MD5' }).click()
  await expect(info).toContainText('5d41402abc4b2a76b9719d911017c592')
  for (const algorithm of ['SHA-1', 'SHA-256', 'SHA-512']) await info.getByRole('button', { name: `Show ${algorithm}` }).click()
  await expect(info.locator('code')).toHaveCount(4)
})

test('the copy button of a checksum copies it and confirms', async ({ page, context, served }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await served.write('hello.txt', 'hello')
  await signIn(page, served)
  await choose(page, row(page, 'hello.txt'), 'Details')
  const info = details(page)
  await info.locator('summary').click()
  await info.getByRole('button', { name: 'Show MD5' }).click()
  await info.getByRole('button', { name: 'Copy MD5' }).click()
  await expectReadAloud(page, 'Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('5d41402abc4b2a76b9719d911017c592')
  await expect(info.getByRole('button', { name: 'Copy MD5' })).toBeVisible()
})

test('a checksum can be copied without the clipboard API, as on plain HTTP', async ({ page, served }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await served.write('hello.txt', 'hello')
  await signIn(page, served)
  await choose(page, row(page, 'hello.txt'), 'Details')
  const info = details(page)
  await info.locator('summary').click()
  await info.getByRole('button', { name: 'Show MD5' }).click()
  await info.getByRole('button', { name: 'Copy MD5' }).click()
  await expectReadAloud(page, 'Copied')
})

test('the information dialog counts the content of folders recursively and shows the dimensions of an image', async ({ page, served }) => {
  await served.write('docs/a.txt', 'four')
  await served.write('docs/deep/er/b } { \\ " é.txt', 'sixsix')
  await served.write('c.txt', '22')
  await served.write('photo.png', PNG)
  await signIn(page, served)
  const info = details(page)
  await choose(page, row(page, 'docs'), 'Details')
  await expect(info).toContainText('2 folders, 2 files')
  await expect(info).toContainText('10 bytes')
  await row(page, 'c.txt').click({ modifiers: ['ControlOrMeta'] })
  await expectSelected(page, ['docs', 'c.txt'])
  await page.keyboard.press('Alt+Enter')
  await expect(info).toContainText('3 folders, 3 files')
  await expect(info).toContainText('12 bytes')
  await choose(page, row(page, 'photo.png'), 'Details')
  await expect(info).toContainText('1 × 1 pixels')
})

test('closing the information dialog cancels counting and checksums', async ({ page, served }) => {
  await served.write('docs/a.txt', 'a')
  await served.write('b.txt', 'b')
  await page.route(/recursive|checksum/, () => undefined)
  // As without an index, where it has to be counted.
  await page.route(/api\/sizes/, (route) => route.fulfill({ json: { sums: null, children: null } }))
  await signIn(page, served)
  for (const [name, address] of [
    ['docs', /recursive/],
    ['b.txt', /checksum/],
  ] as const) {
    const asked = page.waitForRequest(address)
    const ended = page.waitForEvent('requestfailed', (request) => address.test(request.url()))
    await choose(page, row(page, name), 'Details')
    if (name === 'b.txt') {
      await details(page).locator('summary').click()
      await details(page).getByRole('button', { name: 'Show MD5' }).click()
    }
    await asked
    await page.keyboard.press('Escape')
    expect((await ended).failure()?.errorText).toContain('ABORTED')
  }
})

/** What a person would find in the folder; the listing may be ahead of it for a moment. */
function onDisk(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .toSorted()
}

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Route } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { throttle } from './drop.ts'
import { details, dialog, answer, choose, expectNames, expectSelected, row, tile, pick, fillName } from './listing.ts'
import { PNG } from './samples.ts'
import { expect, signIn, test } from './served.ts'

const ODD = [
  `100% a+b?#é'"<b>.txt`,
  '%2F.txt',
  '..hidden',
  'a\\b.txt',
  'dot.',
  '🎉 party.txt',
  'مرحبا.txt',
  'trailing space ',
  `${'x'.repeat(251)}.txt`,
]

const BROKEN = { status: 500, json: { code: 'unexpected', detail: { incident: 'k7f3q' } } }

test('each sort column works in both directions and is kept for the next browser', async ({ page, served, elsewhere }) => {
  await served.write('b.txt', 'bb')
  await served.write('a10.txt', 'a')
  await served.write('a9.txt', 'aaa')
  await served.write('zoo/x.txt', '')
  await signIn(page, served)
  await expectNames(page, ['zoo', 'a9.txt', 'a10.txt', 'b.txt'])
  await page.getByRole('button', { name: 'Name' }).click()
  await expectNames(page, ['zoo', 'b.txt', 'a10.txt', 'a9.txt'])
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('button', { name: 'Modified' }).click()
  await expect(page.getByRole('columnheader', { name: 'Modified' })).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('button', { name: 'Size' }).click()
  await expectNames(page, ['zoo', 'a9.txt', 'b.txt', 'a10.txt'])
  // The answer to this click: those to the clicks before may still be on their way.
  const saved = page.waitForResponse((response) => /"by":"size","asc":true/.test(response.request().postData() ?? ''))
  await page.getByRole('button', { name: 'Size' }).click()
  expect((await saved).status()).toBe(200)
  await expectNames(page, ['zoo', 'a10.txt', 'b.txt', 'a9.txt'])
  await page.reload()
  await expectNames(page, ['zoo', 'a10.txt', 'b.txt', 'a9.txt'])
  const other = await elsewhere()
  await signIn(other, served)
  await expectNames(other, ['zoo', 'a10.txt', 'b.txt', 'a9.txt'])
  await expect(other.getByRole('columnheader', { name: 'Size' })).toHaveAttribute('aria-sort', 'ascending')
})

test('list and grid view switch at once, and the choice is kept', async ({ page, served }) => {
  await served.write('docs/a.txt', 'a')
  await served.write('photo.png', '')
  await signIn(page, served)
  await expect(row(page, 'photo.png')).toBeVisible()
  const asked: string[] = []
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  await pick(page, 'Mosaic')
  await expect(tile(page, 'photo.png')).toBeVisible()
  await saved
  expect(asked.filter((one) => one.includes('/api/resources'))).toEqual([])
  await page.reload()
  await expect(tile(page, 'docs')).toBeVisible()
  await tile(page, 'docs').dblclick()
  await expect(tile(page, 'a.txt')).toBeVisible()
})

test('20,000 entries can be scrolled from first to last, with at most fifty in the document at first', async ({ page, served }) => {
  test.slow()
  mkdirSync(join(served.root, 'many'))
  for (let n = 1; n <= 20_000; n++) writeFileSync(join(served.root, 'many', `file ${n}.txt`), '')
  await signIn(page, served)
  const grid = page.getByRole('grid', { name: 'many' })
  const rows = grid.getByRole('row')
  // On a slow line the first rows do not wait for the last, and nothing is done to all of them yet.
  await throttle(page, 100_000, 'receive')
  await row(page, 'many').dblclick()
  await expect(row(page, 'file 1.txt')).toBeVisible()
  expect(await rows.count()).toBeLessThanOrEqual(51)
  await expect(grid).toHaveAttribute('aria-rowcount', '20001')
  await expect(page.getByText('20,000 files')).toBeVisible()
  await expect(grid).toHaveAttribute('aria-busy', 'true')
  await expect(page.getByRole('checkbox', { name: 'Select all' })).toBeDisabled()
  await row(page, 'file 2.txt').click()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('1 selected')
  // The way to the end is gone as soon as there is one.
  await page.keyboard.press('Control+End')
  await expect(row(page, 'file 2.txt')).not.toBeInViewport()
  await throttle(page, null, 'receive')
  await expect(grid).toHaveAttribute('aria-busy', 'false')
  await expect(row(page, 'file 20000.txt')).toBeFocused()
  await expect(row(page, 'file 20000.txt')).toBeInViewport()
  await page.keyboard.press('Control+Home')
  await expect(row(page, 'file 1.txt')).toBeFocused()
  await expect(row(page, 'file 2.txt')).toHaveAttribute('aria-selected', 'true')
  await page.mouse.move(640, 500)
  await page.mouse.wheel(0, 400_000)
  await expect(row(page, 'file 10000.txt')).toBeAttached()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('20,000 selected')
  await expect(rows.nth(70)).toHaveCount(0)
})

test('breadcrumbs show home and the last three folders, and collapse the others', async ({ page, served }) => {
  await served.write('one/two/three/four/five/deep.txt', '')
  await signIn(page, served, '/files/one/two/three/four/five/')
  const path = page.getByRole('navigation', { name: 'Path' })
  await expect(path.getByRole('listitem')).toHaveText(['', '…', 'four', 'five'])
  await expect(path.getByRole('link', { name: 'five' })).toHaveAttribute('aria-current', 'page')
  await expect(page).toHaveTitle('five - Files')
  await path.getByRole('button', { name: /one \/ two \/ three/ }).click()
  await page.getByRole('menuitem', { name: 'three' }).click()
  await expect(page).toHaveURL(`${served.url}/files/one/two/three/`)
  await expect(path.getByRole('link')).toHaveText(['', 'one', 'two', 'three'])
  await expect(row(page, 'four')).toBeFocused()
  await path.getByRole('link', { name: 'Home' }).click()
  await expect(row(page, 'one')).toBeFocused()
})

test('entries with unusual names open, are shown in full and survive a reload', async ({ page, served }) => {
  for (const name of ODD) await served.write(name, `I am ${name}`)
  await signIn(page, served)
  for (const name of ODD) {
    await row(page, name).dblclick()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name.trim())
    await page.reload()
    const opened = page.getByRole('textbox').or(page.getByText('This file can’t be shown here.'))
    await expect(opened.first()).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name.trim())
    await page.getByRole('button', { name: 'Back to the folder' }).click()
    await expect(row(page, name)).toBeVisible()
  }
})

test('folders with unusual names can be entered and left by keyboard and survive a reload', async ({ page, served }) => {
  for (const name of ODD) await served.write(`${name}/inside.txt`, '')
  await signIn(page, served)
  for (const name of ODD) {
    await row(page, name).focus()
    await page.keyboard.press('Enter')
    await expect(row(page, 'inside.txt')).toBeVisible()
    await page.reload()
    await expect(row(page, 'inside.txt')).toBeVisible()
    await page.keyboard.press('Backspace')
    await expect(row(page, name)).toBeFocused()
  }
})

test('a name that is not UTF-8 is shown escaped, renamed and deleted', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 40[04]/)
  await writeFile(Buffer.concat([Buffer.from(`${served.root}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')]), 'latin')
  await writeFile(Buffer.concat([Buffer.from(`${served.root}/gone`), Buffer.from([0xff])]), 'latin')
  await signIn(page, served)
  await choose(page, row(page, 'caf\\xE9.txt'), 'Rename')
  const prompt = dialog(page, /^Rename/)
  await fillName(prompt, 'café.txt')
  await answer(prompt, 'Rename')
  await expect(row(page, 'café.txt')).toBeVisible()
  await choose(page, row(page, 'gone\\xFF'), 'Delete')
  await answer(dialog(page, 'Delete “gone\\xFF”?'), 'Move to trash')
  await expectNames(page, ['café.txt'])
})

test('the selection made during a pending rename is kept', async ({ page, served }) => {
  for (const name of ['a.txt', 'b.txt']) await served.write(name, name)
  await signIn(page, served)
  await page.route('**/api/resources/**', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    const response = await route.fetch()
    // It has its new name on show before the server has answered.
    await expect(row(page, 'z.txt')).toBeVisible()
    await row(page, 'b.txt').click()
    return route.fulfill({ response })
  })
  await choose(page, row(page, 'a.txt'), 'Rename')
  // The last thing that the answer brings about.
  const readAgain = page.waitForResponse((response) => response.request().method() === 'GET' && response.url().endsWith('/api/resources/'))
  const prompt = dialog(page, /^Rename/)
  await fillName(prompt, 'z.txt')
  await answer(prompt, 'Rename')
  await readAgain
  await expectSelected(page, ['b.txt'])
})

test('missing and forbidden paths show their own pages with a link back', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 404/)
  await signIn(page, served, '/files/nowhere/at all.txt')
  await expect(page.getByRole('heading', { name: 'Not Found' })).toBeVisible()
  await expect(page.getByText('This route cannot be reached.')).toBeVisible()
  await page.getByRole('link', { name: 'Go to my files' }).click()
  await expect(page.getByText('This folder is empty')).toBeVisible()
  for (const [address, title, text] of [
    ['/403', 'Forbidden', 'You don’t have permissions to access this.'],
    ['/404', 'Not Found', 'This route cannot be reached.'],
    ['/500', 'Internal Server Error', 'Something really went wrong.'],
  ] as const) {
    await page.goto(served.url + address)
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await expect(page.getByText(text)).toBeVisible()
    await expect(page).toHaveTitle(title)
  }
})

test('an empty folder offers the available actions', async ({ page, served }) => {
  await signIn(page, served)
  const sheet = page.getByRole('main')
  await expect(sheet.getByText('This folder is empty')).toBeVisible()
  await sheet.getByRole('button', { name: 'New folder' }).click()
  const prompt = dialog(page, 'New folder')
  await prompt.getByRole('textbox').fill('first')
  await answer(prompt, 'Create')
  await expect(row(page, 'first')).toBeFocused()
})

test('entries with unusual names can be renamed, moved and copied', async ({ page, served }) => {
  for (const name of ODD) await served.write(name, name)
  await mkdir(join(served.root, 'zz'))
  await signIn(page, served)
  await expect(row(page, 'zz')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await row(page, 'zz').click({ modifiers: ['ControlOrMeta'] })
  await page.keyboard.press('ControlOrMeta+c')
  await row(page, 'zz').dblclick()
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+v')
  for (const name of ODD) await expect(row(page, name)).toBeVisible()
  expect(readdirSync(join(served.root, 'zz')).toSorted()).toEqual(ODD.toSorted())
  for (const [at, name] of ODD.entries()) {
    await choose(page, row(page, name), 'Rename')
    const prompt = dialog(page, /^Rename/)
    await fillName(prompt, `#${at}% ?`)
    await answer(prompt, 'Rename')
    await expect(row(page, `#${at}% ?`)).toBeVisible()
  }
  await expect.poll(() => readdirSync(join(served.root, 'zz')).toSorted()).toEqual(ODD.map((_, at) => `#${at}% ?`).toSorted())
})

test('a slow folder shows a skeleton, and a failed one shows an error with a link back', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 500/)
  await served.write('docs/a.txt', '')
  await signIn(page, served)
  await expect(row(page, 'docs')).toBeVisible()
  const held: Route[] = []
  let broken = false
  await page.route(/\/api\/resources\/docs/, (route) => (broken ? route.fulfill(BROKEN) : void held.push(route)))
  await row(page, 'docs').dblclick()
  await expect(page.locator('[data-part=skeleton]')).toBeVisible()
  await expect.poll(() => held.length).toBeGreaterThan(0)
  broken = true
  for (const route of held) await route.fulfill(BROKEN)
  await expect(page.getByRole('heading', { name: 'Internal Server Error' })).toBeVisible({ timeout: 120_000 })
  await expect(page.getByText('Something really went wrong.')).toBeVisible()
  // What only an administrator can make use of is folded away.
  await expect(page.getByText('Incident k7f3q')).toBeHidden()
  await page.getByText('Details').click()
  await expect(page.getByText('Incident k7f3q')).toBeVisible()
  await page.getByRole('link', { name: 'Go to my files' }).click()
  await expect(row(page, 'docs')).toBeVisible()
})

test('with reduced motion nothing is animated', async ({ page, served }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await served.write('a.txt', '')
  await signIn(page, served)
  await choose(page, row(page, 'a.txt'), 'Rename')
  await expect(dialog(page, /^Rename/)).toBeVisible()
  const slides = await page.evaluate(() =>
    document
      .getAnimations()
      // Fading and changing colour is no motion.
      .filter((one): one is CSSTransition => one instanceof CSSTransition && !/opacity|color|shadow/.test(one.transitionProperty))
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 0)
      .map(({ transitionProperty }) => transitionProperty),
  )
  expect(slides).toEqual([])
})

test('the slash key filters the folder while typing, and actions apply to the filtered entries', async ({ page, served }) => {
  for (const name of ['a.md', 'b.md', 'c.txt', 'Été.txt']) await served.write(name, name)
  await served.write('docs/inside.txt', '')
  await signIn(page, served)
  await row(page, 'c.txt').click()
  await page.keyboard.press('/')
  // Typed at once, before the field has come.
  await page.keyboard.type('MD')
  const field = page.getByRole('textbox', { name: 'Filter this folder' })
  await expect(field).toHaveValue('MD')
  await expect(field).toBeFocused()
  await expectNames(page, ['a.md', 'b.md'])
  await expect(page.getByRole('status').filter({ hasText: '2 of 5' })).toBeAttached()
  await expectSelected(page, [])
  await expectAccessible(page, 'a filtered folder')
  await page.keyboard.press('ArrowDown')
  await expect(row(page, 'a.md')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('2 selected')
  await page.keyboard.press('Escape')
  await expectSelected(page, [])
  await expect(field).toBeVisible()
  await row(page, 'b.md').dblclick()
  await expect(page.getByRole('heading', { name: 'b.md' })).toBeVisible()
  await page.goBack()
  await expectNames(page, ['a.md', 'b.md'])
  await expect(row(page, 'b.md')).toBeFocused()
  await page.keyboard.press('/')
  await field.fill('ete *.txt')
  await expectNames(page, ['Été.txt'])
  await field.fill('nothing like it')
  await expect(page.getByText('Nothing here matches “nothing like it”')).toBeVisible()
  // The details describe the folder, not the filtered entries.
  await page.locator('[data-part=listing-header]').getByRole('button', { name: 'Details', exact: true }).click()
  await expect(details(page)).toContainText('1 folder, 4 files')
  await details(page).getByRole('button', { name: 'Close' }).click()
  // New entries are shown whatever the filter.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'New folder' }).click()
  await fillName(dialog(page, 'New folder'), 'fresh')
  await answer(dialog(page, 'New folder'), 'Create')
  await expect(row(page, 'fresh')).toBeFocused()
  await expectNames(page, ['docs', 'fresh', 'a.md', 'b.md', 'c.txt', 'Été.txt'])
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('filter this')
  await page.keyboard.press('Enter')
  await expect(field).toBeFocused()
  await field.fill('c')
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
  await expect(page.getByRole('row').and(page.locator(':focus'))).toBeVisible()
})

test('density, gallery view and column widths are kept in this browser', async ({ page, served, elsewhere }) => {
  await served.write('docs/a.txt', 'a')
  await served.write('photo.png', PNG)
  await signIn(page, served)
  const options = page.getByRole('button', { name: 'Actions', exact: true })
  const height = async () => (await row(page, 'docs').boundingBox())?.height
  await options.click()
  await page.getByRole('menuitemcheckbox', { name: 'Compact' }).click()
  await expect.poll(height).toBe(32)
  // Compact is twenty rows in a window of 800 pixels.
  await page.setViewportSize({ width: 1280, height: 800 })
  const room = async () => ((await page.getByRole('grid').boundingBox())?.height ?? 0) - ((await head(page).boundingBox())?.height ?? 0)
  await expect.poll(room).toBeGreaterThanOrEqual(20 * 32)
  const line = page.getByRole('separator', { name: 'Width of the Size column' })
  await line.focus()
  const width = async () => Number(await line.getAttribute('aria-valuenow'))
  // A share of what is wide.
  const usual = await width()
  expect(usual).toBeGreaterThan(90)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(line).toHaveAttribute('aria-valuenow', String(usual + 20))
  const box = await line.boundingBox()
  if (box === null) throw new Error('no line')
  await page.mouse.move(box.x + 6, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x - 44, box.y + 10, { steps: 4 })
  await page.mouse.up()
  await expect(line).toHaveAttribute('aria-valuenow', String(usual + 70))
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.method()))
  await pick(page, 'Gallery')
  await expect(tile(page, 'photo.png')).toBeVisible()
  await tile(page, 'docs').focus()
  await page.keyboard.press('ArrowDown')
  await expect(tile(page, 'photo.png')).toBeFocused()
  await page.reload()
  await expect(tile(page, 'photo.png')).toBeVisible()
  // No other client knows a gallery: it stays out of the record.
  expect(asked).not.toContain('PUT')
  await pick(page, 'List')
  await expect.poll(height).toBe(32)
  await expect(line).toHaveAttribute('aria-valuenow', String(usual + 70))
  await line.dblclick()
  await expect.poll(width).toBeLessThan(usual)
  await options.click()
  await page.getByRole('menuitem', { name: 'Reset the column widths' }).click()
  await expect(line).toHaveAttribute('aria-valuenow', String(usual))
  const other = await elsewhere()
  await signIn(other, served)
  await expect(row(other, 'photo.png')).toBeVisible()
  expect((await row(other, 'docs').boundingBox())?.height).toBe(40)
})

test('names are links that can be opened in another tab', async ({ page, served }) => {
  await served.write('a folder with a long name/a.txt', 'a')
  await signIn(page, served)
  const link = row(page, 'a folder with a long name').getByRole('link', { name: 'a folder with a long name' })
  await expect(link).toHaveAttribute('href', '/files/a%20folder%20with%20a%20long%20name/')
})

function head(page: Page) {
  return page.getByRole('row').filter({ has: page.getByRole('columnheader') })
}

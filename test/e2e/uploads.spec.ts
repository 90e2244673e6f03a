import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Route } from '@playwright/test'
import { BULK_FROM_FILES } from '../../src/shared/limits.ts'
import { expectAccessible } from './axe.ts'
import { dropFiles } from './drop.ts'
import { dialog, expectNames, expectSelected, pickFiles, row } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, signIn } from './served.ts'
import { MIB, test, tray } from './uploads.ts'

test('the upload button uploads complete files, which appear in the listing', async ({ page, served }) => {
  await signIn(page, served)
  const odd = `100% a+b?#é'"<b>.txt`
  await pickFiles(page, [
    { name: odd, mimeType: 'text/plain', buffer: Buffer.from('odd') },
    { name: 'empty', mimeType: '', buffer: Buffer.alloc(0) },
  ])
  await expectNotice(page, '2 files uploaded')
  await expectNames(page, [odd, 'empty'])
  await expect(tray(page)).toContainText('2 uploads complete')
  expect(readFileSync(join(served.root, odd), 'utf8')).toBe('odd')
  expect(statSync(join(served.root, 'empty')).size).toBe(0)
  await tray(page).getByRole('button', { name: 'Close' }).click()
  await expect(tray(page)).toHaveCount(0)
})

test('a dropped folder is uploaded completely: 130 files in one folder, deep folders and an empty one', async ({
  page,
  served,
  desktop,
}) => {
  await mkdir(join(desktop, 'tree/deep/er/empty'), { recursive: true })
  for (let n = 0; n < 130; n++) await writeFile(join(desktop, 'tree', `file ${n}.txt`), `content ${n}`)
  await writeFile(join(desktop, 'tree/deep/er/leaf.txt'), 'leaf')
  await writeFile(join(desktop, 'loose.txt'), 'loose')
  const then = new Date('2019-03-04T05:06:07.890Z')
  await utimes(join(desktop, 'tree', 'file 7.txt'), then, then)
  await signIn(page, served)
  await expect(page.getByText('This folder is empty')).toBeVisible()
  const requests: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && requests.push(new URL(request.url()).pathname)))
  await dropFiles(page, page.getByRole('main'), [join(desktop, 'tree'), join(desktop, 'loose.txt')])
  await expect(tray(page)).toContainText('132 uploads complete', { timeout: 120_000 })
  // Small files that wait in numbers travel together.
  expect(requests.filter((path) => path === '/api/bulk').length).toBeGreaterThan(2)
  expect(requests.filter((path) => path.endsWith('.txt')).length).toBeLessThan(BULK_FROM_FILES)
  expect(statSync(join(served.root, 'tree', 'file 7.txt')).mtimeMs).toBe(then.getTime())
  await expectNames(page, ['tree', 'loose.txt'])
  expect(readdirSync(join(served.root, 'tree')).length).toBe(131)
  expect(readFileSync(join(served.root, 'tree', 'file 129.txt'), 'utf8')).toBe('content 129')
  expect(readFileSync(join(served.root, 'tree/deep/er/leaf.txt'), 'utf8')).toBe('leaf')
  expect(readdirSync(join(served.root, 'tree/deep/er/empty'))).toEqual([])
})

test('the upload button uploads a folder with its subfolders', async ({ page, served, desktop }) => {
  await mkdir(join(desktop, 'trip/day 1'), { recursive: true })
  await writeFile(join(desktop, 'trip/day 1/a.txt'), 'a')
  await writeFile(join(desktop, 'trip/b.txt'), 'b')
  await signIn(page, served)
  await page.getByRole('button', { name: 'Upload', exact: true, expanded: false }).click()
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Upload folder' }).click()
  const chooser = await choosing
  await chooser.setFiles(join(desktop, 'trip'))
  await expect(tray(page)).toContainText('2 uploads complete')
  await expectNames(page, ['trip'])
  expect(readFileSync(join(served.root, 'trip/day 1/a.txt'), 'utf8')).toBe('a')
})

test('a file dropped onto a folder in the listing is uploaded into it, and the page does not navigate', async ({
  page,
  served,
  desktop,
}) => {
  await mkdir(join(served.root, 'docs'))
  for (let n = 10; n < 70; n++) await served.write(`file ${n}.txt`, '')
  await writeFile(join(desktop, 'a.txt'), 'a')
  await signIn(page, served)
  await dropFiles(page, row(page, 'docs'), [join(desktop, 'a.txt')])
  await expect(tray(page)).toContainText('1 upload complete')
  expect(readFileSync(join(served.root, 'docs/a.txt'), 'utf8')).toBe('a')
  const grid = page.getByRole('grid')
  await grid.evaluate((element) => element.scrollTo(0, 900))
  await row(page, 'file 35.txt').click()
  const before = await grid.evaluate(({ scrollTop }) => scrollTop)
  await pickFiles(page, [{ name: 'zz.txt', mimeType: 'text/plain', buffer: Buffer.from('z') }])
  await expectNotice(page, '1 file uploaded')
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '63')
  await expectSelected(page, ['file 35.txt'])
  expect(await grid.evaluate(({ scrollTop }) => scrollTop)).toBe(before)
})

test('name conflicts are resolved before the upload starts, and each choice is applied', async ({ page, served, desktop }) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) {
    await writeFile(join(desktop, name), `new ${name}`)
    await served.write(name, `old ${name}`)
  }
  await writeFile(join(desktop, 'd.txt'), 'new d.txt')
  await utimes(join(served.root, 'a.txt'), 1e9, 1e9)
  await signIn(page, served)
  const sent: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())))
  await dropFiles(
    page,
    row(page, 'a.txt'),
    ['a.txt', 'b.txt', 'c.txt', 'd.txt'].map((name) => join(desktop, name)),
  )
  const first = dialog(page, '“a.txt” already exists')
  await expect(first).toContainText('Conflict 1 of 3')
  await first.getByRole('checkbox', { name: /Apply to the next/ }).uncheck()
  await first.getByRole('radio', { name: 'Replace' }).check()
  await first.getByRole('button', { name: 'Continue' }).click()
  const second = dialog(page, '“b.txt” already exists')
  await second.getByRole('radio', { name: 'Keep both' }).check()
  await second.getByRole('button', { name: 'Continue' }).click()
  const third = dialog(page, '“c.txt” already exists')
  await third.getByRole('radio', { name: 'Skip' }).check()
  expect(sent).toEqual([])
  await third.getByRole('button', { name: 'Continue' }).click()
  await expectNotice(page, '3 files uploaded')
  await expectNames(page, ['a.txt', 'b.txt', 'b(1).txt', 'c.txt', 'd.txt'])
  const text = (name: string) => readFileSync(join(served.root, name), 'utf8')
  expect(['a.txt', 'b.txt', 'b(1).txt', 'c.txt', 'd.txt'].map(text)).toEqual([
    'new a.txt',
    'old b.txt',
    'new b.txt',
    'old c.txt',
    'new d.txt',
  ])
})

test('closing the conflict dialog uploads nothing', async ({ page, served, desktop }) => {
  await served.write('a.txt', 'old')
  for (const name of ['a.txt', 'new.txt']) await writeFile(join(desktop, name), 'new')
  await signIn(page, served)
  await dropFiles(page, row(page, 'a.txt'), [join(desktop, 'a.txt'), join(desktop, 'new.txt')])
  await dialog(page, '“a.txt” already exists').press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(tray(page)).toHaveCount(0)
  expect(readFileSync(join(served.root, 'a.txt'), 'utf8')).toBe('old')
  expect(existsSync(join(served.root, 'new.txt'))).toBe(false)
})

test('at most five uploads run at once, and the others are queued', async ({ page, served, desktop }) => {
  const files = Array.from({ length: 8 }, (_, n) => join(desktop, `${n}.txt`))
  for (const file of files) await writeFile(file, 'x')
  await signIn(page, served)
  await expect(page.getByText('This folder is empty')).toBeVisible()
  const held: Route[] = []
  let holding = true
  await page.route(/\/api\/resources\/\d\.txt/, (route) => (holding ? void held.push(route) : route.continue()))
  await dropFiles(page, page.getByRole('main'), files)
  await expect(tray(page).getByRole('progressbar', { name: /^Uploading / })).toHaveCount(5)
  await expect(tray(page).getByText('Waiting')).toHaveCount(3)
  expect(held.length).toBe(5)
  await held.shift()?.continue()
  await expect.poll(() => held.length).toBe(5)
  await expect(tray(page).getByText('Waiting')).toHaveCount(2)
  holding = false
  for (const route of held) await route.continue()
  await expectNames(
    page,
    files.map((_, n) => `${n}.txt`),
  )
})

test('small and large files keep their modification time', async ({ page, served, desktop }) => {
  const then = new Date('2019-03-04T05:06:07.890Z')
  await writeFile(join(desktop, 'small.txt'), 'small')
  await writeFile(join(desktop, 'large.bin'), 'large')
  await truncate(join(desktop, 'large.bin'), 9 * MIB)
  for (const name of ['small.txt', 'large.bin']) await utimes(join(desktop, name), then, then)
  await signIn(page, served)
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await dropFiles(page, page.getByRole('main'), [join(desktop, 'small.txt'), join(desktop, 'large.bin')])
  await expect(tray(page)).toContainText('2 uploads complete')
  for (const name of ['small.txt', 'large.bin']) expect(statSync(join(served.root, name)).mtimeMs).toBe(then.getTime())
})

test('three hundred files have three hundred rows, of which only the visible ones are rendered', async ({ page, served, desktop }) => {
  await mkdir(join(desktop, 'many'))
  for (let n = 0; n < 300; n++) await writeFile(join(desktop, 'many', `${n}.txt`), 'x')
  await signIn(page, served)
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await dropFiles(page, page.getByRole('main'), [join(desktop, 'many')])
  await expect(tray(page).getByRole('listitem').first()).toHaveAttribute('aria-setsize', '300')
  expect(await tray(page).getByRole('listitem').count()).toBeLessThan(40)
  await expect(tray(page)).toContainText('300 uploads complete', { timeout: 120_000 })
  await tray(page)
    .getByRole('list')
    .evaluate((list) => list.scrollTo(0, list.scrollHeight))
  await expect(tray(page).locator('[aria-posinset="300"]')).toBeVisible()
  expect(readdirSync(join(served.root, 'many')).length).toBe(300)
})

test('queued uploads can be reordered by pointer and keyboard, and run in that order', async ({ page, served, desktop }) => {
  const files = Array.from({ length: 9 }, (_, n) => join(desktop, `${n}.txt`))
  for (const file of files) await writeFile(file, 'x')
  await signIn(page, served)
  await expect(page.getByText('This folder is empty')).toBeVisible()
  const held: Route[] = []
  const begun: string[] = []
  await page.route(/\/api\/resources\/\d\.txt/, (route) => {
    begun.push(/(\d)\.txt/.exec(route.request().url())?.[1] ?? '')
    held.push(route)
  })
  await dropFiles(page, page.getByRole('main'), files)
  await expect(tray(page).getByText('Waiting')).toHaveCount(4)
  // However long the list below it is.
  await expect(tray(page).getByRole('progressbar', { name: 'All uploads' })).toHaveCSS('height', '5px')
  const inLine = () => tray(page).locator('[data-state=waiting] bdi').allTextContents()
  await expect.poll(inLine).toEqual(['5.txt', '6.txt', '7.txt', '8.txt'])
  const handle = (name: string) => tray(page).getByRole('button', { name: `Move ${name}` })
  await handle('6.txt').focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowDown')
  await expect(tray(page).getByRole('status').filter({ hasText: '6.txt is now number 4 of 4' })).toBeAttached()
  await expect.poll(inLine).toEqual(['5.txt', '7.txt', '8.txt', '6.txt'])
  await expect(handle('6.txt')).toBeFocused()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(inLine).toEqual(['5.txt', '7.txt', '6.txt', '8.txt'])
  await handle('8.txt').scrollIntoViewIfNeeded()
  const [from, to] = [await handle('8.txt').boundingBox(), await handle('5.txt').boundingBox()]
  if (from === null || to === null) throw new Error('no handles')
  await page.mouse.move(from.x + 9, from.y + 18)
  await page.mouse.down()
  await page.mouse.move(from.x + 9, from.y - 10, { steps: 4 })
  await page.mouse.move(to.x + 9, to.y + 18, { steps: 8 })
  await page.mouse.up()
  await expect.poll(inLine).toEqual(['8.txt', '5.txt', '7.txt', '6.txt'])
  await expectAccessible(page, 'uploads in line')
  await tray(page).getByRole('button', { name: 'Show less' }).click()
  await expect(tray(page).getByRole('list')).toHaveCount(0)
  await expect(tray(page).getByRole('progressbar', { name: 'All uploads' })).toBeVisible()
  await tray(page).getByRole('button', { name: 'Show more' }).click()
  while (begun.length < 9) {
    const before = begun.length
    await held.shift()?.continue()
    await expect.poll(() => begun.length).toBe(before + 1)
  }
  expect(begun.slice(5)).toEqual(['8', '5', '7', '6'])
  for (const route of held) await route.continue()
  await expect(tray(page)).toContainText('9 uploads complete')
})

test('an upload that ends before the upload panel has loaded is told of when it has', async ({ page, served }) => {
  let load = (): void => undefined
  const loading = new Promise<void>((resolve) => void (load = resolve))
  await page.route(/uploads-frame/, async (route) => {
    await loading
    await route.continue()
  })
  await signIn(page, served)
  await page.locator('[data-part=pick-files]').setInputFiles([{ name: 'early.txt', mimeType: 'text/plain', buffer: Buffer.from('early') }])
  await expect.poll(() => existsSync(join(served.root, 'early.txt'))).toBe(true)
  load()
  await expectNotice(page, '1 file uploaded')
})

import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { dragOver, dropFiles } from './drop.ts'
import { expectNames, expectSelected, row } from './listing.ts'
import { expect, signIn, test as base } from './served.ts'

/** A folder of the person at the browser, to drop from. */
const test = base.extend<{ desktop: string }>({
  desktop: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'satchel-desktop-'))
    await use(folder)
    await rm(folder, { recursive: true })
  },
})

test('U6: dragging a selection onto a folder moves it, or copies it with Ctrl; the current folder stays open and the notice links to the other', async ({
  page,
  served,
}) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await served.write(name, name)
  await mkdir(join(served.root, 'docs'))
  await signIn(page, served)
  await row(page, 'a.txt').click()
  await row(page, 'b.txt').click({ modifiers: ['Shift'] })
  await dragOver(page, row(page, 'b.txt'), row(page, 'docs'))
  await expect(row(page, 'docs')).toHaveAttribute('data-over', 'taken')
  await page.mouse.up()
  await expectNames(page, ['docs', 'c.txt'])
  await expect.poll(() => readdirSync(join(served.root, 'docs')).toSorted()).toEqual(['a.txt', 'b.txt'])
  await page.keyboard.down('Control')
  await dragOver(page, row(page, 'c.txt'), row(page, 'docs'))
  await page.mouse.up()
  await page.keyboard.up('Control')
  await expect.poll(() => readdirSync(join(served.root, 'docs')).toSorted()).toEqual(['a.txt', 'b.txt', 'c.txt'])
  expect(visible(served.root)).toEqual(['c.txt', 'docs'])
  await expect(page).toHaveURL(`${served.url}/files/`)
  await page.locator('[data-part=notice]', { hasText: '1 item copied' }).getByRole('button', { name: 'Show' }).click()
  await expectNames(page, ['a.txt', 'b.txt', 'c.txt'])
  await expectSelected(page, ['c.txt'])
})

test('entries can be dropped on breadcrumbs, including hidden ones', async ({ page, served }) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await served.write(`one/two/three/four/${name}`, name)
  const deep = `${served.url}/files/one/two/three/four/`
  await signIn(page, served, '/files/one/two/three/four/')
  await dragOver(page, row(page, 'a.txt'), path(page).getByRole('link', { name: 'three' }))
  await page.mouse.up()
  await expect.poll(() => readdirSync(join(served.root, 'one/two/three')).toSorted()).toEqual(['a.txt', 'four'])
  await page.goto(deep)
  await dragOver(page, row(page, 'b.txt'), path(page).getByRole('link', { name: 'Home' }))
  await page.mouse.up()
  await expect.poll(() => visible(served.root)).toEqual(['b.txt', 'one'])
  await page.goto(deep)
  await dragOver(page, row(page, 'c.txt'), path(page).getByRole('button', { name: /one \/ two/ }))
  await path(page).getByRole('link', { name: 'one' }).hover()
  await expect(path(page).getByRole('link', { name: 'one' })).toHaveAttribute('data-over', 'taken')
  await page.mouse.up()
  await expect.poll(() => readdirSync(join(served.root, 'one')).toSorted()).toEqual(['c.txt', 'two'])
})

test('entries can be dropped on My files in the sidebar, and a single file can be dragged out of the browser', async ({ page, served }) => {
  await served.write('one/two/a: b.txt', 'of a')
  await signIn(page, served, '/files/one/two/')
  await expect(row(page, 'a: b.txt')).toBeVisible()
  await page.evaluate(() => {
    // The product has written by the time the window hears of it.
    document.addEventListener('dragstart', ({ dataTransfer }) => (document.title = dataTransfer?.getData('DownloadURL') ?? ''))
  })
  const home = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My files' })
  await dragOver(page, row(page, 'a: b.txt'), home)
  await expect(home).toHaveAttribute('data-over', 'taken')
  const [, type, name, address = ''] = /^([^:]*):([^:]*):(.*)$/.exec(await page.title()) ?? []
  expect([type, name]).toEqual(['application/octet-stream', 'a_ b.txt'])
  // Its address holds no secret: the browser brings its cookie.
  expect(address).toBe(`${served.url}/api/raw/one/two/a%3A%20b.txt`)
  expect(await (await page.request.get(address)).text()).toBe('of a')
  await page.mouse.up()
  await expect.poll(() => visible(served.root)).toEqual(['a: b.txt', 'one'])
})

test('invalid drop targets are shown as such: a selected folder, the dragged folder and the current folder', async ({ page, served }) => {
  await served.write('in/a.txt', 'a')
  await mkdir(join(served.root, 'in/docs'))
  await mkdir(join(served.root, 'in/more'))
  await signIn(page, served, '/files/in/')
  await row(page, 'docs').click()
  await row(page, 'a.txt').click({ modifiers: ['ControlOrMeta'] })
  await dragOver(page, row(page, 'a.txt'), row(page, 'docs'))
  await expect(row(page, 'docs')).toHaveAttribute('data-over', 'barred')
  await path(page).getByRole('link', { name: 'in' }).hover()
  await expect(path(page).getByRole('link', { name: 'in' })).toHaveAttribute('data-over', 'barred')
  await expect(row(page, 'docs')).not.toHaveAttribute('data-over')
  await row(page, 'more').hover()
  await expect(row(page, 'more')).toHaveAttribute('data-over', 'taken')
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(row(page, 'more')).not.toHaveAttribute('data-over')
  expect(readdirSync(join(served.root, 'in')).toSorted()).toEqual(['a.txt', 'docs', 'more'])
})

test('dragging an unselected entry drags only that entry', async ({ page, served }) => {
  for (const name of ['a.txt', 'b.txt']) await served.write(name, name)
  await mkdir(join(served.root, 'docs'))
  await signIn(page, served)
  await row(page, 'a.txt').click()
  await dragOver(page, row(page, 'b.txt'), row(page, 'docs'))
  await expectSelected(page, ['b.txt'])
  await page.mouse.up()
  await expectNames(page, ['docs', 'a.txt'])
  // The list does not wait for the disk.
  await expect.poll(() => visible(served.root)).toEqual(['a.txt', 'docs'])
})

test('a file dropped beside the listing does not replace the page, and read-only users cannot drop files', async ({
  page,
  served,
  desktop,
}) => {
  await served.write('here.txt', '')
  await writeFile(join(desktop, 'a.txt'), 'a')
  await signIn(page, served, '/files/', 'reader')
  await expect(row(page, 'here.txt')).toBeVisible()
  await dropFiles(page, page.getByRole('navigation', { name: 'Main' }), [join(desktop, 'a.txt')])
  await dropFiles(page, page.getByRole('main'), [join(desktop, 'a.txt')])
  await expect(page).toHaveURL(`${served.url}/files/`)
  await expectNames(page, ['here.txt'])
  expect(visible(served.root)).toEqual(['here.txt'])
})

test('a file dropped on a breadcrumb is uploaded there, and a selected folder does not accept it', async ({ page, served, desktop }) => {
  await mkdir(join(served.root, 'docs/old'), { recursive: true })
  await writeFile(join(desktop, 'a.txt'), 'a')
  await signIn(page, served, '/files/docs/')
  await row(page, 'old').click()
  await dropFiles(page, row(page, 'old'), [join(desktop, 'a.txt')])
  await dropFiles(page, path(page).getByRole('link', { name: 'Home' }), [join(desktop, 'a.txt')])
  await expect(page.getByRole('region', { name: 'Uploads', exact: true })).toContainText('1 upload complete')
  expect(visible(served.root)).toEqual(['a.txt', 'docs'])
  expect(readdirSync(join(served.root, 'docs/old'))).toEqual([])
})

function path(page: Page) {
  return page.getByRole('navigation', { name: 'Path' })
}

function visible(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .toSorted()
}

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { choose, dialog, pickFiles, row, tile, pick } from './listing.ts'
import { PNG } from './samples.ts'
import { expect, type Served, signIn, test } from './served.ts'

test('the screens have no axe violations', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 40[34]/)
  await prepare(served)
  await page.goto(`${served.url}/login`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Wrong credentials')).toBeVisible()
  await expectAccessible(page, 'login')
  await signIn(page, served)
  await row(page, 'a.txt').click()
  await row(page, 'code.ts').click({ modifiers: ['ControlOrMeta'] })
  await expectAccessible(page, 'list with a selection')
  const heard = await whatIsHeard(page)
  expect(heard.grids).toEqual([{ name: 'My files', multiselectable: true }])
  expect(heard.rows.map(({ selected }) => selected)).toEqual([false, true, false, true, false])
  expect(heard.rows[1]?.name).toMatch(/a\.txt.*1 byte.*(now|ago)/)
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '6')
  // Said once the selection has settled.
  await expect(page.getByRole('status').filter({ hasText: /^2 selected/ })).toBeAttached()
  await pick(page, 'Mosaic')
  await expect(tile(page, 'docs')).toBeVisible()
  await expectAccessible(page, 'mosaic')
  await pick(page, 'Gallery')
  await page.keyboard.press('/')
  await expect(page.getByRole('textbox', { name: 'Filter this folder' })).toBeFocused()
  await expectAccessible(page, 'gallery with a filter')
  await page.keyboard.press('Escape')
  await tile(page, 'docs').dblclick()
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await expectAccessible(page, 'empty folder')
  await page.goto(`${served.url}/files/code.ts`)
  await expect(page.getByText('TypeScript')).toBeVisible()
  await expectAccessible(page, 'editor')
  await page.keyboard.press('ControlOrMeta+f')
  await expectAccessible(page, 'find in the editor')
  await page.goto(`${served.url}/files/photo.png`)
  await expect(page.getByRole('img', { name: 'photo.png' })).toBeVisible()
  await expectAccessible(page, 'preview of an image')
  await page.goto(`${served.url}/files/blob.xyz`)
  await expect(page.getByText('This file can’t be shown here.')).toBeVisible()
  await expectAccessible(page, 'preview of an unknown type')
  await page.goto(`${served.url}/404`)
  await expectAccessible(page, 'error page')
})

test('menus and dialogs have no axe violations', async ({ page, served }) => {
  // One dialog of each build, each looked at in both themes.
  test.slow()
  await prepare(served)
  await served.write('docs/a.txt', 'taken')
  await signIn(page, served)
  await row(page, 'a.txt').click({ button: 'right' })
  await expect(page.getByRole('menu')).toBeVisible()
  await expectAccessible(page, 'menu')
  await page.keyboard.press('Escape')
  for (const [action, title] of [
    ['Rename', /^Rename/],
    ['Move to…', /^Move/],
    ['Delete', /^Delete/],
  ] as const) {
    await choose(page, row(page, 'a.txt'), action)
    await expect(dialog(page, title)).toBeVisible()
    await expectAccessible(page, action)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'New folder' }).click()
  await dialog(page, 'New folder').getByRole('textbox').press('Enter')
  await expect(page.getByText('Enter a name.')).toBeVisible()
  await expectAccessible(page, 'a name that is missing')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('F1')
  await expect(dialog(page, 'Help')).toBeVisible()
  await expectAccessible(page, 'help')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('Recent notices')
  await page.keyboard.press('Enter')
  await expect(dialog(page, 'Recent notices')).toBeVisible()
  await expectAccessible(page, 'recent notices')
  await page.keyboard.press('Escape')
  await choose(page, row(page, 'a.txt'), 'Copy to…')
  const picker = dialog(page, /^Copy/)
  await picker.getByRole('button', { name: 'docs' }).click()
  await picker.getByRole('button', { name: 'Copy here' }).click()
  await expect(dialog(page, '“a.txt” already exists')).toBeVisible()
  await expectAccessible(page, 'replace or rename')
})

test('the upload panel has no axe violations during and after an upload', async ({ page, served }) => {
  await served.write('a.txt', 'old')
  await signIn(page, served)
  await expect(row(page, 'a.txt')).toBeVisible()
  const upload = (name: string) => pickFiles(page, [{ name, mimeType: 'text/plain', buffer: Buffer.from('new') }])
  await upload('a.txt')
  await expect(dialog(page, '“a.txt” already exists')).toBeVisible()
  await expectAccessible(page, 'upload conflict')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.route(/\/api\/resources\/slow\.txt/, () => undefined)
  await upload('slow.txt')
  await expect(page.getByRole('progressbar', { name: 'Uploading slow.txt' })).toBeVisible()
  await expectAccessible(page, 'upload under way')
})

async function prepare(served: Served): Promise<void> {
  await served.write('a.txt', 'a')
  await served.write('code.ts', `/** Adds. */\nexport function add(a: number, b = 2) {\n  return a + b // "sum"\n}\n`)
  await served.write('photo.png', PNG)
  await served.write('blob.xyz', new Uint8Array([0, 1]))
  await mkdir(join(served.root, 'docs'), { recursive: true })
}

/** What the browser hands to a screen reader of grids and their rows: its own accessibility tree. */
async function whatIsHeard(page: Page) {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const ofRole = (role: string) => nodes.filter((node) => !node.ignored && node.role?.value === role)
  const property = (node: (typeof nodes)[number], name: string) => node.properties?.find((one) => one.name === name)?.value.value
  return {
    grids: ofRole('grid').map((node) => ({ name: node.name?.value, multiselectable: property(node, 'multiselectable') })),
    // The first is the head.
    rows: ofRole('row')
      .slice(1)
      .map((node) => ({ name: String(node.name?.value), selected: property(node, 'selected') })),
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { dialog, expectNames, pickFiles, row } from './listing.ts'
import { expectNotice } from './notices.ts'
import { PNG } from './samples.ts'
import { expect, type Served, signIn, test } from './served.ts'

const LONG_AGO = 1e9
const LATER = 4e9

test('copying with “only newer” replaces older files and skips the others', async ({ page, served }) => {
  await twoFolders(served)
  await signIn(page, served)
  await row(page, 'a.txt').click()
  await row(page, 'b.txt').click({ modifiers: ['Shift'] })
  await copyInto(page, 'docs')
  const clash = dialog(page, '“a.txt” already exists')
  await expect(clash.getByRole('radio', { name: 'Only newer' })).toBeChecked()
  await expect(clash.getByRole('checkbox', { name: 'Apply to the next conflict too' })).toBeChecked()
  await clash.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => read(served, 'docs/a.txt')).toBe('new a.txt')
  expect(read(served, 'docs/b.txt')).toBe('old b.txt')
})

test('uploading with “only newer” replaces older files and skips the others', async ({ page, served }) => {
  for (const [name, time] of [
    ['a.txt', LONG_AGO],
    ['b.txt', LATER],
  ] as const) {
    await served.write(name, `old ${name}`)
    await utimes(join(served.root, name), time, time)
  }
  await signIn(page, served)
  await expect(row(page, 'a.txt')).toBeVisible()
  await pickFiles(
    page,
    ['a.txt', 'b.txt'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`new ${name}`) })),
  )
  const clash = dialog(page, '“a.txt” already exists')
  await clash.getByRole('radio', { name: 'Only newer' }).check()
  await clash.getByRole('button', { name: 'Continue' }).click()
  await expectNotice(page, '1 file uploaded')
  expect(['a.txt', 'b.txt'].map((name) => read(served, name))).toEqual(['new a.txt', 'old b.txt'])
})

test('a conflict shows the thumbnail, size and time of both files', async ({ page, served }) => {
  await served.write('photo.png', PNG)
  await utimes(join(served.root, 'photo.png'), LONG_AGO, LONG_AGO)
  await signIn(page, served)
  await expect(row(page, 'photo.png')).toBeVisible()
  await pickFiles(page, [{ name: 'photo.png', mimeType: 'image/png', buffer: Buffer.concat([PNG, Buffer.alloc(900)]) }])
  const clash = dialog(page, '“photo.png” already exists')
  const existing = clash.getByRole('group', { name: 'Existing' })
  const incoming = clash.getByRole('group', { name: 'Incoming' })
  await expectPicture(existing)
  await expectPicture(incoming)
  await expect(existing).toContainText(`${PNG.length} bytes`)
  await expect(existing).toContainText('2001')
  await expect(incoming).toContainText('newer')
  await expect(clash.getByRole('radio', { name: 'Replace' })).toBeChecked()
})

test('a folder and a file of the same name never replace each other', async ({ page, served }) => {
  await served.write('thing', 'a file')
  await served.write('docs/thing/inside.txt', 'a folder')
  await signIn(page, served)
  await row(page, 'thing').click()
  await copyInto(page, 'docs')
  const clash = dialog(page, '“thing” already exists')
  await expect(clash.getByRole('radio')).toHaveCount(2)
  await expect(clash.getByRole('radio', { name: 'Keep both' })).toBeChecked()
  await page.keyboard.press('Enter')
  await expect.poll(() => readdirSync(join(served.root, 'docs')).toSorted()).toEqual(['thing', 'thing(1)'])
  expect(read(served, 'docs/thing/inside.txt')).toBe('a folder')
})

test('the conflict dialog works by keyboard: arrows choose, Enter continues, Escape cancels everything', async ({ page, served }) => {
  await twoFolders(served)
  await signIn(page, served)
  await row(page, 'a.txt').click()
  await row(page, 'b.txt').click({ modifiers: ['Shift'] })
  await copyInto(page, 'docs')
  await expect(dialog(page, /already exists/).getByRole('radio', { name: 'Only newer' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(read(served, 'docs/a.txt')).toBe('old a.txt')
  await page.keyboard.press('ControlOrMeta+c')
  await row(page, 'docs').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('navigation', { name: 'Path' })).toContainText('docs')
  await page.keyboard.press('ControlOrMeta+v')
  const clash = dialog(page, '“a.txt” already exists')
  await expect(clash.getByRole('radio', { name: 'Only newer' })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(clash.getByRole('radio', { name: 'Replace' })).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(clash.getByRole('checkbox')).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await expect(dialog(page, '“b.txt” already exists')).toContainText('Conflict 2 of 2')
  await page.keyboard.press('Enter')
  await expectNames(page, ['a.txt', 'b.txt', 'b(1).txt'])
  await expect.poll(() => read(served, 'docs/a.txt')).toBe('new a.txt')
})

test('the conflict dialog has no axe violations', async ({ page, served }) => {
  await twoFolders(served)
  await signIn(page, served)
  await row(page, 'a.txt').click()
  await row(page, 'b.txt').click({ modifiers: ['Shift'] })
  await copyInto(page, 'docs')
  await expect(dialog(page, /already exists/)).toBeVisible()
  await expectAccessible(page, 'conflict of a copy')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await pickFiles(page, [{ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('new') }])
  await expect(dialog(page, /already exists/)).toBeVisible()
  await expectAccessible(page, 'conflict of an upload')
})

/** `a.txt` is newer here than in docs, `b.txt` is older. */
async function twoFolders(served: Served): Promise<void> {
  for (const name of ['a.txt', 'b.txt']) {
    await served.write(name, `new ${name}`)
    await served.write(`docs/${name}`, `old ${name}`)
  }
  await utimes(join(served.root, 'docs/a.txt'), LONG_AGO, LONG_AGO)
  await utimes(join(served.root, 'b.txt'), LONG_AGO, LONG_AGO)
}

async function copyInto(page: Page, folder: string): Promise<void> {
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Copy to…' }).click()
  const picker = dialog(page, /^Copy/)
  await picker.getByRole('button', { name: folder, exact: true }).click()
  await picker.getByRole('button', { name: 'Copy here' }).click()
}

async function expectPicture(side: Locator): Promise<void> {
  await expect.poll(() => side.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
}

function read(served: Served, path: string): string {
  return readFileSync(join(served.root, path), 'utf8')
}

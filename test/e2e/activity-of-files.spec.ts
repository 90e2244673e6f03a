import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { answer, choose, details, dialog, expectNames, row } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, type Served, signIn, test } from './served.ts'

test('the activity of a folder says what was done, and takes it back', async ({ page, served }) => {
  await served.write('docs/outside.txt', 'written by another program')
  await signIn(page, served, '/files/docs/')
  await store(page, 'docs/a.txt', 'one')
  await store(page, 'docs/a.txt', 'two')
  await expect(row(page, 'a.txt')).toBeVisible()
  await choose(page, row(page, 'a.txt'), 'Delete')
  await answer(dialog(page, 'Delete “a.txt”?'), 'Move to trash')
  await expectNames(page, ['outside.txt'])

  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Activity' }).click()
  const pane = details(page)
  await expect(pane.getByRole('tab', { name: 'Activity' })).toHaveAttribute('aria-selected', 'true')
  await expect(gestures(page).first()).toContainText(/Deleted.*a\.txt.*You/)
  await expect(pane.getByRole('heading', { name: 'Today' })).toBeVisible()
  await expectAccessible(page, 'the activity of a folder')

  await pane.getByRole('button', { name: 'Undo: Deleted: a.txt' }).click()
  await expectNames(page, ['a.txt', 'outside.txt'])
  expect(await onDisk(served, 'docs/a.txt')).toBe('two')
  await expect(gestures(page).first()).toContainText('Restored')
  await expect(gestures(page).nth(1)).toContainText('Undone')
  await pane.getByText('Filter', { exact: true }).click()
  await pane.getByRole('combobox', { name: 'Change' }).selectOption('Deleted')
  await expect(gestures(page)).toHaveCount(1)

  // Of a file, with the tab that was chosen; a link leads to it.
  await row(page, 'a.txt').click()
  await expect(gestures(page).first()).toContainText('Restored')
  await expect(gestures(page).last()).toContainText('Added')
  await expect(pane.getByRole('button', { name: /Rewind/ })).toHaveCount(0)
})

test('a folder is rewound to a change, by keyboard, and that is undone', async ({ page, served }) => {
  await served.write('docs/outside.txt', 'written by another program')
  await signIn(page, served)
  await store(page, 'docs/a.txt', 'one')
  await store(page, 'docs/b.txt', 'b')
  await store(page, 'docs/a.txt', 'two')
  await store(page, 'docs/later.txt', 'later')
  await remove(page, 'docs/b.txt')
  await page.goto(`${served.url}/files/`)
  await choose(page, row(page, 'docs'), 'Rewind…')
  const rewinding = dialog(page, 'Rewind “docs”')
  await expect(rewinding.getByRole('listbox').getByRole('option').first()).toContainText('Deleted: b.txt')
  await rewinding.getByRole('option', { name: /Added: b\.txt/ }).click()
  await expect(rewinding.getByRole('list', { name: 'First changes' })).toContainText('later.txt')
  await expectAccessible(page, 'a rewind')
  await page.keyboard.press('ArrowDown')
  await expect(rewinding.getByRole('option', { name: /Added: a\.txt/ })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(rewinding.getByRole('button', { name: 'Rewind', exact: true })).not.toHaveAttribute('aria-disabled')
  await rewinding.getByRole('button', { name: 'Rewind', exact: true }).press('Enter')
  await expectNotice(page, '“docs” rewound')
  expect(await onDisk(served, 'docs/a.txt')).toBe('one')
  expect(await onDisk(served, 'docs/b.txt')).toBe('b')
  expect(existsSync(join(served.root, 'docs/later.txt'))).toBe(false)

  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => existsSync(join(served.root, 'docs/later.txt'))).toBe(true)
  await expect.poll(() => onDisk(served, 'docs/a.txt')).toBe('two')
  await expect.poll(() => existsSync(join(served.root, 'docs/b.txt'))).toBe(false)
})

test('on a phone the activity is in a sheet, from which links lead to files', async ({ page, served }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await served.write('docs/outside.txt', 'written by another program')
  await signIn(page, served)
  await store(page, 'docs/a.bin', 'one')
  await page.goto(`${served.url}/files/docs/`)
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Activity' }).click()
  const sheet = dialog(page, 'Details')
  await expect(gestures(page)).toContainText(/Added.*a\.bin/)
  await expectAccessible(page, 'the activity on a phone')
  await sheet.getByRole('button', { name: 'Rewind…' }).click()
  await expect(dialog(page, 'Rewind “docs”')).toBeVisible()
  await expectAccessible(page, 'a rewind on a phone')
  await page.keyboard.press('Escape')
  await expect(dialog(page, 'Rewind “docs”')).toHaveCount(0)
  await sheet.getByRole('link', { name: 'a.bin' }).click()
  await expect(page).toHaveURL(`${served.url}/files/docs/a.bin`)
  await expect(sheet).toHaveCount(0)
})

function gestures(page: Page): Locator {
  return page.locator('[data-part=gesture]')
}

/** Stores a file as a program would, over an earlier one too. */
async function store(page: Page, name: string, text: string): Promise<void> {
  await call(page, 'POST', `/api/resources/${name}?override=true`, text)
}

async function remove(page: Page, name: string): Promise<void> {
  await call(page, 'DELETE', `/api/resources/${name}`)
}

async function call(page: Page, method: string, path: string, body?: string): Promise<void> {
  const status = await page.evaluate(
    async (request) => {
      const headers = { 'x-auth': localStorage.getItem('jwt') ?? '' }
      const { status: answered } = await fetch(request.path, {
        method: request.method,
        headers,
        ...(request.body && { body: request.body }),
      })
      return answered
    },
    { method, path, body },
  )
  expect(status).toBeLessThan(300)
}

async function onDisk(served: Served, name: string): Promise<string> {
  return readFile(join(served.root, name), 'utf8')
}

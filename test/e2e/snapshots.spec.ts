import { cp, readFile, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { answer, choose, dialog, pick, row } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, type Served, signIn, test } from './served.ts'

test.use({ serverOptions: ['--snapshots=.snaps/*'] })

test('a folder is shown as snapshots have it, and what is missing comes back', async ({ page, served }) => {
  await lay(served)
  await signIn(page, served)
  await choose(page, row(page, 'docs'), 'Snapshots')
  const snapshots = dialog(page, 'Snapshots')
  await expect(moments(page)).toHaveCount(2)
  await expect(moments(page).nth(0)).toContainText('2026-05-02T00:00:00Z')
  await expect(moments(page).nth(0)).toBeFocused()
  await expect(entries(page)).toHaveText([/deep/, /gone\.txt.*Missing now/s, /plan\.txt.*Changed since/s])
  await expectAccessible(page, 'a folder in a snapshot')
  await pick(page, 'Everything')
  await expect(entries(page)).toHaveCount(4)

  await moments(page).nth(0).focus()
  await page.keyboard.press('ArrowDown')
  await expect(moments(page).nth(1)).toBeFocused()
  await expect(entries(page)).toHaveText([/deep/, /plan\.txt/])
  await page.keyboard.press('ArrowUp')

  await snapshots.getByRole('button', { name: 'Restore “gone.txt”' }).click()
  await expectNotice(page, '“gone.txt” restored')
  expect(await onDisk(served, 'docs/gone.txt')).toBe('was here')
  await expect(entries(page).filter({ hasText: 'gone.txt' })).toHaveCount(0)

  await snapshots.getByRole('button', { name: 'Restore “plan.txt”' }).click()
  const conflict = dialog(page, /plan\.txt/)
  await expectAccessible(page, 'the question whether a file is replaced by an older one')
  await expect(conflict.getByRole('radio', { name: 'Keep both' })).toBeChecked()
  await answer(conflict, 'Continue')
  await expectNotice(page, '“plan.txt” restored')
  expect(await onDisk(served, 'docs/plan.txt')).toBe('newest')
  expect(await onDisk(served, 'docs/plan(1).txt')).toBe('second')

  await entries(page).getByRole('button', { name: /^deep/ }).click()
  await expect(snapshots.getByRole('button', { name: 'Up one folder' })).toBeFocused()
  await expect(entries(page)).toHaveText([/b\.txt.*Missing now/s])
  const saving = page.waitForEvent('download')
  await snapshots.getByRole('link', { name: 'Download “b.txt” as it was' }).click()
  expect(await readFile(await (await saving).path(), 'utf8')).toBe('deep down')
  await snapshots.getByRole('button', { name: 'Up one folder' }).press('Enter')
  await expect(entries(page).first()).toContainText('deep')
  await expect(snapshots.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(snapshots).toHaveCount(0)
})

test('snapshots are marked among the versions of a file; they are compared and restored, never deleted', async ({ page, served }) => {
  await lay(served)
  await signIn(page, served, '/files/docs/')
  await choose(page, row(page, 'plan.txt'), 'Version history')
  const history = dialog(page, 'Version history')
  const versions = page.getByRole('listbox', { name: 'Versions' }).getByRole('option')
  await expect(versions).toHaveText([/Current version/, /Snapshot .*2026-05-02/, /Snapshot .*2026-05-01/])
  await expect(history.getByRole('textbox')).toHaveText('second')
  await expect(history.getByRole('button', { name: 'Delete version' })).toHaveCount(0)
  await expectAccessible(page, 'versions in snapshots')
  await pick(page, 'Compare')
  await expect(history.getByRole('status')).toHaveText('1 change')
  await answer(history, 'Restore')
  await expectNotice(page, 'restored')
  expect(await onDisk(served, 'docs/plan.txt')).toBe('second')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectNotice(page, 'Undone')
  expect(await onDisk(served, 'docs/plan.txt')).toBe('newest')
})

test('a folder that no snapshot has says so', async ({ page, served }) => {
  await lay(served)
  await served.write('new/a.txt', '')
  await signIn(page, served)
  await choose(page, row(page, 'new'), 'Snapshots')
  await expect(dialog(page, 'Snapshots').getByRole('heading', { name: 'No snapshots of this folder' })).toBeVisible()
  await expectAccessible(page, 'no snapshots')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the moments come first, and a tap shows the folder', async ({ page, served }) => {
    await lay(served)
    await signIn(page, served)
    await page.getByRole('button', { name: 'Actions for docs' }).tap()
    await page.getByRole('menuitem', { name: 'Snapshots' }).tap()
    await expect(moments(page)).toHaveCount(2)
    await expectAccessible(page, 'moments on a phone')
    await moments(page).nth(0).tap()
    await expect(entries(page)).toHaveCount(3)
    await expectAccessible(page, 'a folder in a snapshot on a phone')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await dialog(page, 'Snapshots').getByRole('button', { name: 'Restore “gone.txt”' }).tap()
    await expectNotice(page, '“gone.txt” restored')
    await dialog(page, 'Snapshots').getByRole('button', { name: 'Back to the list' }).tap()
    await expect(moments(page)).toHaveCount(2)
  })
})

test.describe('a server without snapshots', () => {
  test.use({ serverOptions: [] })

  test('offers none', async ({ page, served }) => {
    await served.write('docs/a.txt', '')
    await signIn(page, served)
    await row(page, 'docs').click({ button: 'right' })
    await expect(page.getByRole('menuitem', { name: 'Disk usage' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Snapshots' })).toHaveCount(0)
  })
})

/** A folder of now, and as it was on two days. */
async function lay(served: Served): Promise<void> {
  const write = async (path: string, text: string, day: number): Promise<void> => {
    const time = new Date(Date.UTC(2026, 3, day))
    await utimes(await served.write(`docs/${path}`, text), time, time)
  }
  const take = (name: string): Promise<void> =>
    cp(join(served.root, 'docs'), join(served.root, '.snaps', name, 'docs'), { recursive: true, preserveTimestamps: true })
  await write('plan.txt', 'first', 1)
  await write('deep/b.txt', 'deep down', 1)
  await take('2026-05-01T00:00:00Z')
  await write('plan.txt', 'second', 2)
  await write('gone.txt', 'was here', 2)
  await write('same.txt', 'same', 2)
  await take('2026-05-02T00:00:00Z')
  await write('plan.txt', 'newest', 3)
  await rm(join(served.root, 'docs/gone.txt'))
  await rm(join(served.root, 'docs/deep/b.txt'))
}

function moments(page: Page): Locator {
  return page.getByRole('listbox', { name: 'Snapshots' }).getByRole('option')
}

function entries(page: Page): Locator {
  return page.getByRole('list', { name: 'What the folder held then' }).getByRole('listitem')
}

function onDisk({ root }: Served, name: string): Promise<string> {
  return readFile(join(root, name), 'utf8')
}

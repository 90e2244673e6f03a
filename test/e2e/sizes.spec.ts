import { readdirSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { answer, choose, details, dialog, names, row } from './listing.ts'
import { expect, signIn, test } from './served.ts'

const KIB = 1024

test('folder sizes are shown in the listing, in the information dialog, and in a map that can be navigated by keyboard', async ({
  page,
  served,
}) => {
  await served.write('docs/a.bin', bytes(300))
  await served.write('docs/copy.bin', bytes(300))
  await served.write('films/long.bin', bytes(3000))
  await served.write('films/raw/clip.bin', bytes(2000))
  await served.write('readme.txt', 'hello')
  await signIn(page, served)

  await expect(size(page, 'films')).toHaveText('–')
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Folder sizes' }).click()
  await expect(size(page, 'films')).toHaveText('4.9 MB')
  await expect(size(page, 'docs')).toHaveText('600 kB')
  await page.getByRole('columnheader', { name: 'Size' }).getByRole('button', { name: 'Size', exact: true }).click()
  await expect.poll(() => names(page)).toEqual(['films', 'docs', 'readme.txt'])
  await served.write('docs/deep/more.bin', bytes(7000))
  // Somebody comes back to the page.
  await expect(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    expect(await names(page)).toEqual(['docs', 'films', 'readme.txt'])
  }).toPass()

  // Known sizes are not counted again.
  await page.route('**/api/resources/recursive/**', (route) => route.abort())
  await choose(page, row(page, 'docs'), 'Details')
  await expect(details(page).getByText('1 folder, 3 files')).toBeVisible()
  await details(page).getByRole('button', { name: 'Disk usage' }).click()

  const usage = dialog(page, 'Disk usage')
  const tile = (name: RegExp) => usage.getByRole('group', { name: 'Map' }).getByRole('button', { name })
  await expect(tile(/^deep\b.*Folder/)).toBeVisible()
  await expectAccessible(page, 'the disk usage')
  await tile(/^deep\b.*Folder/).focus()
  await page.keyboard.press('Enter')
  await expect(tile(/^more\.bin/)).toBeFocused()
  await page.keyboard.press('Backspace')
  await expect(tile(/^deep\b.*Folder/)).toBeFocused()
  await page.keyboard.press('Backspace')
  await expect(tile(/^docs\b.*Folder/)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(tile(/^films\b.*Folder/)).toBeFocused()

  await usage.getByRole('tab', { name: 'Largest files' }).click()
  await expect(usage.getByRole('listitem').filter({ hasText: /MB|kB/ }).first()).toContainText('more.bin')
  await usage.getByRole('button', { name: 'Delete more.bin' }).click()
  await answer(dialog(page, 'Delete “more.bin”?'), 'Move to trash')
  await expect(usage.getByRole('link', { name: /more\.bin/ })).toHaveCount(0)
  await expect(usage.getByRole('list', { name: 'Largest files' }).getByRole('link').first()).toBeFocused()

  await usage.getByRole('tab', { name: 'Duplicates' }).click()
  await usage.getByRole('button', { name: 'Find duplicates' }).click()
  await expect(usage.getByRole('list', { name: '2 copies of 300 kB each' }).getByRole('link')).toHaveCount(2)
  await usage.getByRole('button', { name: 'Show copy.bin in its folder' }).click()
  await expect(page).toHaveURL(`${served.url}/files/docs/`)
  await expect(row(page, 'copy.bin')).toHaveAttribute('aria-selected', 'true')
})

test('U15: two clicks delete all but one file of each group of duplicates, after showing what will be deleted', async ({
  page,
  served,
}) => {
  const groups = ['one', 'two', 'three']
  for (const [at, name] of groups.entries()) {
    await served.write(`${name}.bin`, bytes(20 + at))
    await served.write(`copies/${name}.bin`, bytes(20 + at))
  }
  const day = (n: number) => new Date(2026, 0, n)
  for (const name of groups) {
    await utimes(join(served.root, `${name}.bin`), day(1), day(1))
    await utimes(join(served.root, `copies/${name}.bin`), day(2), day(2))
  }
  await signIn(page, served)
  await expect(row(page, 'one.bin')).toBeVisible()
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Disk usage' }).click()
  const usage = dialog(page, 'Disk usage')
  await usage.getByRole('tab', { name: 'Duplicates' }).click()
  // The index may not know all of them yet.
  await expect(async () => {
    await usage.getByRole('button', { name: 'Find duplicates' }).click()
    await expect(usage.getByRole('list', { name: /2 copies/ })).toHaveCount(3, { timeout: 3000 })
  }).toPass()
  await usage.getByRole('button', { name: 'Keep one of each…' }).click()
  const keep = dialog(page, 'Keep one of each')
  await expect(keep).toContainText('3 files')
  await expect(keep.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page, 'which of the duplicates stays')
  await keep.getByRole('button', { name: /Delete/ }).click()
  await expect(usage.getByRole('list', { name: /2 copies/ })).toHaveCount(0)
  expect(readdirSync(join(served.root, 'copies'))).toEqual([])
  for (const name of groups) expect(readdirSync(served.root)).toContain(`${name}.bin`)
})

/** The cell of an entry's size. */
function size(page: Page, name: string) {
  return row(page, name).locator('[data-column=size]')
}

/** Of one letter each, so that files of one length are the same. */
function bytes(kib: number): Uint8Array {
  return new Uint8Array(kib * KIB).fill(kib % 256)
}

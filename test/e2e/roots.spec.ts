import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { expectNames, row } from './listing.ts'
import { expect, signIn, test } from './served.ts'
import { wordsOf } from './words.ts'

const home = mkdtempSync(join(tmpdir(), 'satchel-roots-walk-'))
const [disk, archive] = [join(home, 'disk'), join(home, 'archive')]
/** The server looks at most this often whether a disk is there. */
const LOOK_MS = 1100

test.use({ serverOptions: ['--roots', `photos=${disk}`, '--roots', `archive=${archive}:ro`] })

test.beforeEach(() => {
  for (const folder of [disk, archive]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(disk, 'beach.txt'), 'sand')
  writeFileSync(join(archive, 'old.txt'), 'old')
})
test.afterEach(() => {
  for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true })
})
test.afterAll(() => rmSync(home, { recursive: true, force: true }))

test('a folder is moved to another disk, and a disk that is gone is shown as such, not as empty', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 503/)
  await served.write('trip/day.txt', 'one')
  await signIn(page, served)
  await expectNames(page, ['archive', 'photos', 'trip'])

  await row(page, 'trip').click()
  await page.keyboard.press('ControlOrMeta+x')
  await row(page, 'photos').dblclick()
  await expect(row(page, 'beach.txt')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+v')
  await expect(row(page, 'trip')).toBeVisible()
  await expect.poll(() => existsSync(join(disk, 'trip', 'day.txt'))).toBe(true)
  await expect.poll(() => existsSync(join(served.root, 'trip'))).toBe(false)

  disconnect()
  await page.waitForTimeout(LOOK_MS)
  await page.goto(`${served.url}/files/`)
  await expect(row(page, 'photos')).toContainText('No connection')
  await expect(row(page, 'archive')).not.toContainText('No connection')
  await expectAccessible(page, 'a folder whose disk is not connected')
  await row(page, 'photos').dblclick()
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
  await expect(page.getByText('The disk with this item isn’t responding.')).toBeVisible()
  expect(readdirSync(disk)).toEqual([])

  await page.goto(`${served.url}/settings/global`)
  const storage = page.getByRole('region', { name: 'Storage' })
  await expect(storage.getByRole('listitem').filter({ hasText: 'photos' })).toContainText('No connection')
  await expect(storage.getByRole('listitem').filter({ hasText: 'archive' })).toContainText('Read-only')
  await expect(storage.getByRole('listitem').filter({ hasText: 'Main folder' })).toContainText('Connected')
  await expectAccessible(page, 'the folders that are served')

  connect()
  await page.waitForTimeout(LOOK_MS)
  await page.goto(`${served.url}/files/photos/`)
  await expect(row(page, 'beach.txt')).toBeVisible()
})

test('a read-only folder offers no change', async ({ page, served }) => {
  await served.write('mine.txt', 'mine')
  await signIn(page, served, '/files/archive/')
  await expect(row(page, 'old.txt')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Upload', exact: true })).toHaveCount(0)
  await row(page, 'old.txt').click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Download' })).toBeVisible()
  for (const name of ['Delete', 'Rename', 'Move']) await expect(page.getByRole('menuitem', { name, exact: true })).toHaveCount(0)
})

test('on a phone, in Arabic, a disk that is gone is told beside its folder', async ({ page, served, elsewhere }) => {
  const t = wordsOf('ar')
  await served.write('a.txt', 'a')
  await signIn(page, served)
  disconnect()
  const phone = await elsewhere({ viewport: { width: 390, height: 844 }, locale: 'ar', colorScheme: 'dark' })
  await signIn(phone, served)
  await phone.waitForTimeout(LOOK_MS)
  await phone.reload()
  await expect(phone.getByRole('row').filter({ hasText: 'photos' })).toContainText(t('errors.offline.title'))
  expect(await overflows(phone)).toBe(false)
  await expectAccessible(phone, 'a folder whose disk is not connected, on a phone')
  await phone.goto(`${served.url}/settings/global`)
  const storage = phone.getByRole('region', { name: t('roots.title') })
  await expect(storage.getByRole('listitem').filter({ hasText: 'photos' })).toContainText(t('errors.offline.title'))
  expect(await overflows(phone)).toBe(false)
})

/** As after unmounting: an empty folder is where the disk was. */
function disconnect(): void {
  renameSync(disk, `${disk}-gone`)
  mkdirSync(disk)
}

function connect(): void {
  rmSync(disk, { recursive: true })
  renameSync(`${disk}-gone`, disk)
}

function overflows(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
}

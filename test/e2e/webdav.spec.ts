import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { answer, choose, details, dialog, row } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, PASSWORD, type Served, signIn, test } from './served.ts'

const LOCK =
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner>Word</D:owner></D:lockinfo>'

test('the profile tells the address for programs, which opens the files', async ({ page, served, context, complaints }) => {
  complaints.foresee(/status of 40/)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await writeFile(join(served.root, 'hello.txt'), 'hello')
  await signIn(page, served)
  await page.goto(`${served.url}/settings/profile`)
  const card = page.locator('[data-part="card"]', { has: page.getByRole('heading', { name: 'Connect your apps' }) })
  await expect(card.getByText('Map network drive')).toBeVisible()
  await card.getByRole('button', { name: 'Copy address' }).click()
  const address = await page.evaluate(() => navigator.clipboard.readText())
  expect(address).toBe(`${served.url}/dav/`)
  expect(await (await dav(served, 'GET', 'hello.txt')).text()).toBe('hello')
  await card.scrollIntoViewIfNeeded()
  await expectAccessible(page, 'the address for programs')
  await stage(page, 'apps')
})

test('a file that a program has locked is not changed, the details say by whom, and its holder removes the lock', async ({
  page,
  served,
  complaints,
}) => {
  complaints.foresee(/status of 423/)
  for (const name of ['report.txt', 'second.txt']) await writeFile(join(served.root, name), 'words')
  expect((await dav(served, 'LOCK', 'report.txt', LOCK)).status).toBe(200)
  await signIn(page, served)
  await choose(page, row(page, 'report.txt'), 'Delete')
  await answer(dialog(page, /^Delete/), 'Move to trash')
  await expectNotice(page, 'was not deleted')
  await expect(page.getByText('Locked by admin in another program. Try again later.').first()).toBeVisible()
  await expect(row(page, 'report.txt')).toBeVisible()

  await choose(page, row(page, 'report.txt'), 'Details')
  await expect(details(page).getByText(/Locked by .*admin.* in another program until/)).toBeVisible()
  await expectAccessible(page, 'a lock in the details')
  await stage(page, 'lock')
  await details(page).getByRole('button', { name: 'Remove lock' }).click()
  await expectNotice(page, 'Lock removed')
  await expect(details(page).getByText(/Locked by/)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await choose(page, row(page, 'report.txt'), 'Delete')
  await answer(dialog(page, /^Delete/), 'Move to trash')
  await expect(row(page, 'report.txt')).toHaveCount(0)
})

/** By the password of the administrator. */
function dav({ url }: Served, method: string, path: string, body?: string): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`
  return fetch(`${url}/dav/${path}`, { method, headers: { authorization, depth: '0' }, ...(body !== undefined && { body }) })
}

/** For the eye. */
async function stage(page: Page, name: string): Promise<void> {
  const folder = process.env['WEBDAV_PICTURES']
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

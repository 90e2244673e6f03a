import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from '@playwright/test'
import sharp from 'sharp'
import { expectAccessible } from './axe.ts'
import { answer, dialog, row, fillName } from './listing.ts'
import { expectNotice } from './notices.ts'
import { share } from './links.ts'
import { expect, signIn, test } from './served.ts'

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const MEGABYTE = 1024 * 1024

test('a link can have a name, a title and a limit and be changed later, and its owner sees its use', async ({
  page,
  served,
  elsewhere,
  complaints,
}) => {
  complaints.foresee(/status of 40[14]/)
  await served.write('docs/a.txt', 'the text of a')
  await signIn(page, served)
  await row(page, 'docs').click()
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Share' }).click()
  const prompt = dialog(page, 'Share “docs”')
  await prompt.getByText('More options').click()
  await prompt.getByLabel('Title').fill('Papers for <b>you</b>')
  await prompt.getByLabel('Message to visitors').fill('Please read.\nThank you!')
  await prompt.getByLabel('Custom link name').fill('login')
  await expect(prompt).toContainText('This name is reserved.')
  await prompt.getByLabel('Custom link name').fill('Papers-2026')
  await expect(prompt).toContainText('/share/Papers-2026')
  await prompt.getByLabel('Download limit').fill('1')
  await expectAccessible(page, 'every option of a new link')
  // However long it is, its buttons are in the window.
  await expect(prompt.getByRole('button', { name: 'Create link' })).toBeInViewport({ ratio: 1 })
  await prompt.getByRole('button', { name: 'Create link' }).click()
  const links = prompt.getByRole('list', { name: 'Links' }).getByRole('listitem')
  await expect(links).toHaveCount(1)
  await expect(links).toContainText('0 of 1 downloads')

  const visitor = await elsewhere()
  await visitor.goto(`${served.url}/share/papers-2026/`)
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Papers for <b>you</b>')
  await expect(visitor.getByText('Please read.')).toBeVisible()
  await expect(visitor.getByText('This link has a download limit.')).toBeVisible()
  await expectAccessible(visitor, 'a shared folder with a title and a message')
  const downloading = visitor.waitForEvent('download')
  await visitor.getByRole('link', { name: 'Download a.txt' }).click()
  expect(await readFile(await (await downloading).path(), 'utf8')).toBe('the text of a')
  await visitor.reload()
  await expect(visitor.getByText('The link may have expired or been deleted.')).toBeVisible()
  await expectAccessible(visitor, 'a link that has been used up')

  await links.getByRole('button', { name: 'Visits of link Papers-2026' }).click()
  const visits = dialog(page, 'Visits of “Papers-2026”')
  await expect(visits.getByRole('listitem')).toHaveText([/Downloaded .*a\.txt.*127\.0\.0\.1/s, /Visited.*127\.0\.0\.1/s])
  await expectAccessible(page, 'the visits of a link')
  await answer(visits, 'Close')

  await links.getByRole('button', { name: 'Edit link Papers-2026' }).click()
  const edit = dialog(page, 'Edit link “Papers-2026”')
  await expect(edit.getByLabel('Title')).toHaveValue('Papers for <b>you</b>')
  await edit.getByLabel('Download limit').fill('')
  await edit.getByRole('switch', { name: 'Require a password' }).check()
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit).toContainText('Enter a password, or turn this option off.')
  await edit.getByLabel('Password', { exact: true }).fill('open sesame')
  await edit.getByRole('radio', { name: 'In 1 month' }).check()
  await expectAccessible(page, 'a link that is changed')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expectNotice(page, 'Link changed!')
  await expect(links).toContainText('Expires in 30 days')
  await expect(links).toContainText('Password')
  await visitor.reload()
  await visitor.getByLabel('Password', { exact: true }).fill('open sesame')
  await visitor.keyboard.press('Enter')
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Papers for <b>you</b>')

  await answer(prompt, 'Close')
  await page.goto(`${served.url}/settings/shares`)
  const rows = page.getByRole('table', { name: 'Shares' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('Papers for <b>you</b>')
  await rows.nth(1).getByRole('button', { name: 'Edit link Papers-2026' }).click()
  await edit.getByLabel('Visitors can').selectOption('View only')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(rows.nth(1)).toContainText('View only')
})

test('a visitor on a phone uploads a large file to a drop box over a failing connection, adds a name and sees a confirmation', async ({
  page,
  served,
  elsewhere,
  complaints,
}) => {
  complaints.foresee(/Failed to load resource|ERR_/)
  await served.write('wedding/of-others.jpg', 'nobody sees this')
  const hash = await share(served, '/wedding/', {
    rights: 'drop',
    title: 'Our wedding',
    message: 'Send us your pictures!',
    drop: { maxFile: 100 * MEGABYTE, maxFiles: 2, maxBytes: 0, types: ['jpg', 'mov'] },
  })
  const guest = await elsewhere(PHONE)
  await guest.goto(`${served.url}/share/${hash}`)
  await expect(guest.getByRole('heading', { level: 1, name: 'Our wedding' })).toBeVisible()
  await expect(guest.getByRole('region', { name: 'Upload area' })).toContainText('Only jpg, mov')
  expect(await guest.content()).not.toContain('of-others')
  expect(await guest.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(390)
  await expectAccessible(guest, 'a drop box on a phone')

  await guest.getByLabel('Your name (optional)').fill('Zoë')
  await guest.getByLabel('Note (optional)').fill('With love')
  await choose(guest, { 'notes.txt': Buffer.from('x') })
  await expect(guest.getByRole('main').getByRole('alert')).toContainText('“notes.txt” is not an accepted file type (jpg, mov).')

  // The line breaks twice; whatever comes then goes its way untouched, or the browser's tools would copy every byte.
  let cuts = 0
  const PIECES = '**/api/public/tus/**'
  await guest.route(PIECES, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    const isLast = ++cuts === 2
    await route.abort('connectionreset')
    if (isLast) await guest.unroute(PIECES)
  })
  const film = await bigFile(guest, 20 * MEGABYTE)
  await guest.getByRole('region', { name: 'Upload area' }).dispatchEvent('drop', { dataTransfer: film })
  await choose(guest, { 'of-others.jpg': Buffer.from('mine') })
  await expect(guest.getByRole('heading', { name: 'Thank you!' })).toBeVisible({ timeout: 120_000 })
  await expect(guest.getByText('2 files were uploaded.')).toBeVisible()
  expect(cuts).toBeGreaterThanOrEqual(2)
  expect((await stat(join(served.root, 'wedding/film.mov'))).size).toBe(20 * MEGABYTE)
  expect(await readFile(join(served.root, 'wedding/of-others.jpg'), 'utf8')).toBe('nobody sees this')
  expect(await readFile(join(served.root, 'wedding/of-others(1).jpg'), 'utf8')).toBe('mine')
  // It is full, and to everybody else as if it had never been.
  await expect(guest.getByRole('button', { name: 'Send more' })).toHaveCount(0)
  await expectAccessible(guest, 'the thanks of a drop box')
  await guest.reload()
  await expect(guest.getByText('The link may have expired or been deleted.')).toBeVisible()

  await signIn(page, served)
  await page.goto(`${served.url}/settings/shares`)
  const line = page.getByRole('table', { name: 'Shares' }).getByRole('row').nth(1)
  await expect(line).toContainText('File request · 2 files, 20.0 MB')
  await expect(line).toContainText('Download limit reached')
  await line.getByRole('button', { name: `Visits of link ${hash}` }).click()
  await expect(dialog(page, `Visits of “${hash}”`).getByRole('listitem').first()).toContainText('Zoë')
  await expect(dialog(page, `Visits of “${hash}”`).getByText('With love').first()).toBeVisible()
})

test('visitors of an editable link can upload, rename and delete; visitors of a read-only link cannot', async ({
  served,
  elsewhere,
  complaints,
}) => {
  complaints.foresee(/status of 401/)
  const photo = await sharp({ create: { width: 1500, height: 1000, channels: 3, background: '#5aa0c8' } })
    .jpeg()
    .toBuffer()
  await served.write('team/plan.txt', 'plan')
  await served.write('team/old.txt', 'old')
  await served.write('album/photo.jpg', photo)
  await served.write('album/words.txt', 'words')
  const team = await share(served, '/team/', { rights: 'edit', password: 'pass' })
  const page = await elsewhere()
  await page.goto(`${served.url}/share/${team}/`)
  await page.getByLabel('Password', { exact: true }).fill('pass')
  await page.keyboard.press('Enter')
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload' }).click()
  await (await choosing).setFiles([{ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('another plan') }])
  await expect(item(page, 'plan(1).txt')).toBeVisible()
  await item(page, 'plan(1).txt').click({ modifiers: ['ControlOrMeta'] })
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await bar.getByRole('button', { name: 'Rename' }).click()
  const prompt = dialog(page, 'Rename “plan(1).txt”')
  await fillName(prompt, 'plan.txt')
  await expect(prompt).toContainText('already exists')
  await fillName(prompt, 'plan b.txt')
  await page.keyboard.press('Enter')
  await expect(item(page, 'plan b.txt')).toBeVisible()
  await item(page, 'old.txt').click({ modifiers: ['ControlOrMeta'] })
  await bar.getByRole('button', { name: 'Delete' }).click()
  await answer(dialog(page, 'Delete 1 item?'), 'Delete')
  await expect(item(page, 'old.txt')).toHaveCount(0)
  expect(await readFile(join(served.root, 'team/plan b.txt'), 'utf8')).toBe('another plan')

  const album = await share(served, '/album/', { rights: 'view' })
  await page.goto(`${served.url}/share/${album}/`)
  await expect(page.getByText('This link is view-only.')).toBeVisible()
  await expect(page.getByRole('link', { name: /Download/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /Download|Select/ })).toHaveCount(0)
  await expectAccessible(page, 'a folder that is only looked at')
  await item(page, 'photo.jpg').click()
  await expect(page.getByRole('img', { name: 'photo.jpg' })).toHaveAttribute('data-state', 'shown')
  await page.keyboard.press('Escape')
  await item(page, 'words.txt').click()
  await expect(page.getByText('No preview available.')).toBeVisible()
})

/** An entry of the public list. */
function item(page: Page, name: string) {
  return page.getByRole('row').filter({ has: page.locator(`bdi[title="${name}"]`) })
}

async function choose(page: Page, files: Record<string, Buffer>): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose files' }).tap()
  await (await choosing).setFiles(Object.entries(files).map(([name, buffer]) => ({ name, mimeType: 'application/octet-stream', buffer })))
}

/** Made in the page: as it is too large to be handed over. */
function bigFile(page: Page, bytes: number) {
  return page.evaluateHandle((size) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(size)], 'film.mov'))
    return data
  }, bytes)
}

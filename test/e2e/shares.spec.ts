import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from '@playwright/test'
import sharp from 'sharp'
import { expectAccessible } from './axe.ts'
import { makeBook } from './books.ts'
import { answer, dialog, row } from './listing.ts'
import { expectNotice } from './notices.ts'
import { share } from './links.ts'
import { PDF, WEBM } from './samples.ts'
import { expect, signIn, test } from './served.ts'

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
/** Allows the browser to read the clipboard. */
const CLIPBOARD = ['clipboard-read', 'clipboard-write']

test('U11: sharing from a row takes one click for the expiry, then shows the link, its QR code and a copy button', async ({
  page,
  context,
  served,
}) => {
  await context.grantPermissions(CLIPBOARD)
  await served.write('docs/a.txt', 'hello')
  await signIn(page, served)
  await row(page, 'docs').click()
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Share' }).click()
  const prompt = dialog(page, 'Share “docs”')
  await expect(prompt.getByRole('radio', { name: 'Never' })).toBeFocused()
  await expect(prompt.getByRole('radio')).toHaveCount(5)
  await expect(prompt).toContainText('Never expires')
  await expectAccessible(page, 'the form of a new link')
  await page.keyboard.press('Enter')

  const links = prompt.getByRole('list', { name: 'Links' }).getByRole('listitem')
  await expect(links).toHaveCount(1)
  await expect(links).toContainText('Never expires')
  const link = await links.getByRole('link').innerText()
  const hash = link.slice(`${served.url}/share/`.length)
  expect(link).toBe(`${served.url}/share/${hash}`)
  expect(hash).toMatch(/^[\w-]{8}$/)
  await expect(links.getByRole('img', { name: `QR code of link ${hash}` })).toBeVisible()
  await expect(links.getByRole('button', { name: `Copy link ${hash}` })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectNotice(page, 'Link copied!')
  expect(await clipboard(page)).toBe(`${served.url}/share/${hash}`)
  await links.getByRole('button', { name: `Copy download link ${hash}` }).click()
  await expect.poll(() => clipboard(page)).toBe(`${served.url}/api/public/dl/${hash}/`)

  await prompt.getByRole('button', { name: 'New link' }).click()
  await prompt.getByRole('radio', { name: 'On a date…' }).check()
  await prompt.getByLabel('Last day').fill('2020-01-01')
  await prompt.getByRole('button', { name: 'Create link' }).click()
  await expect(prompt).toContainText('Choose a date from today on.')
  await prompt.getByRole('radio', { name: 'In 1 week' }).check()
  await prompt.getByLabel('Password (optional)').fill(' secret ')
  await prompt.getByRole('button', { name: 'Show the password' }).click()
  await expect(prompt.getByLabel('Password (optional)')).toHaveAttribute('type', 'text')
  await prompt.getByRole('button', { name: 'Create link' }).click()
  await expect(links).toHaveCount(2)
  // The new one first, and not a day short.
  await expect(links.first()).toContainText('Expires in 7 days')
  await expect(links.first()).toContainText('Password')
  await expect(links.first().getByRole('button', { name: /Copy download link/ })).toHaveCount(0)
  await expectAccessible(page, 'the links of a folder')

  await prompt.getByRole('button', { name: `Delete link ${hash}` }).click()
  await expect(dialog(page, 'Delete this link?').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page, 'the end of a link')
  await answer(dialog(page, 'Delete this link?'), 'Delete link')
  await expectNotice(page, 'Share deleted!')
  await expect(links).toHaveCount(1)
  await answer(prompt, 'Close')
  // The row says that there is a link, and the sidebar leads to it.
  await expect(row(page, 'docs')).toContainText('Shared')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Shared', exact: true }).click()
  // use2-7: one place for both.
  await page.getByRole('navigation', { name: 'Shared' }).getByRole('link', { name: 'Shared by me' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Shared' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Shares' }).getByRole('link', { name: 'docs' })).toBeVisible()
  await expectAccessible(page, 'the links that one has given out')
})

test('sharing is offered for a single entry, to users with the share permission', async ({ page, served, elsewhere }) => {
  await served.write('a.txt', 'a')
  await served.write('b.txt', 'b')
  await signIn(page, served)
  const dock = page.getByRole('toolbar', { name: 'Selection' })
  await row(page, 'a.txt').click()
  await expect(dock.getByRole('button', { name: 'Share' })).toBeVisible()
  await row(page, 'b.txt').click({ modifiers: ['Control'] })
  await expect(dock.getByRole('button', { name: 'Share' })).toHaveCount(0)
  const other = await elsewhere()
  await signIn(other, served, '/files/', 'reader')
  await row(other, 'a.txt').click({ button: 'right' })
  await expect(other.getByRole('menuitem', { name: 'Download' })).toBeVisible()
  await expect(other.getByRole('menuitem', { name: 'Share' })).toHaveCount(0)
})

test('a visitor on a phone opens a password-protected link, views, selects and downloads files', async ({
  served,
  elsewhere,
  complaints,
}) => {
  complaints.foresee(/status of 401/)
  await served.write(
    'trip/photo.jpg',
    await sharp({ create: { width: 40, height: 30, channels: 3, background: '#5aa0c8' } })
      .jpeg()
      .toBuffer(),
  )
  await served.write('trip/note.txt', '<script>alert(1)</script>')
  await served.write('trip/day one/film.webm', WEBM)
  const hash = await share(served, '/trip/', { password: 'open sesame', expires: '2' })

  const page = await elsewhere(PHONE)
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await page.goto(`${served.url}/share/${hash}`)
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await expectAccessible(page, 'the door of a locked link')
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('Wrong password')
  await page.getByLabel('Password', { exact: true }).fill('open sesame')
  await page.getByRole('button', { name: 'Open' }).tap()
  await expect(page.getByRole('heading', { level: 1, name: 'trip' })).toBeVisible()
  await expect(page).toHaveTitle('trip - Share')
  await expect(page.getByText('1 folder, 2 files')).toBeVisible()
  await expect(item(page, 'photo.jpg').locator('img')).toHaveAttribute('data-state', 'shown')
  await expectAccessible(page, 'a shared folder on a phone')
  expect(await page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(390)

  await page.getByRole('button', { name: 'Show QR code' }).tap()
  await expect(page.getByRole('img', { name: 'QR code of the download link' })).toBeVisible()
  await page.getByRole('button', { name: 'Hide QR code' }).tap()

  await item(page, 'photo.jpg').tap()
  await expect(page.getByRole('img', { name: 'photo.jpg' })).toHaveAttribute('data-state', 'shown')
  await expectAccessible(page, 'a picture behind a link')
  await page
    .getByRole('button', { name: 'Back to the folder' })
    .or(page.getByRole('button', { name: 'Close' }))
    .first()
    .tap()
  await item(page, 'note.txt').tap()
  await expect(page.getByText('<script>alert(1)</script>')).toBeVisible()
  await page.goBack()

  await page.getByRole('button', { name: 'Select multiple' }).tap()
  await item(page, 'photo.jpg').tap()
  await item(page, 'day one').tap()
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await expect(bar).toContainText('2 selected')
  await expectAccessible(page, 'a selection behind a link')
  const downloading = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'Download' }).tap()
  expect((await downloading).suggestedFilename()).toBe('_trip.zip')

  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'trip' })).toBeVisible()
  expect(addresses.filter((address) => /sesame|token/i.test(address))).toEqual([])
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain('sesame')
})

test('visitors can navigate, select, open, go back and download a file by keyboard', async ({ page, served }) => {
  await served.write('docs/a.txt', 'the text of a')
  await served.write('docs/b.pdf', PDF)
  await served.write('docs/sub/deep/c.txt', 'c')
  const hash = await share(served, '/docs/')
  await page.goto(`${served.url}/share/${hash}/`)
  await expect(item(page, 'sub')).toBeVisible()
  await item(page, 'sub').focus()
  await page.keyboard.press('Enter')
  await expect(item(page, 'deep')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'deep' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Files' }).click()
  await expect(item(page, 'sub')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect(item(page, 'a.txt')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(item(page, 'b.pdf')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row', { selected: true })).toHaveCount(0)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page.getByText('the text of a')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(item(page, 'a.txt')).toBeFocused()
  await page.keyboard.press('Space')
  const downloading = page.waitForEvent('download')
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Download' }).click()
  expect((await downloading).suggestedFilename()).toBe('a.txt')
})

test('links show code with syntax highlighting, books and fonts', async ({ page, served, complaints }) => {
  complaints.foresee(/Blocked script execution in 'about:srcdoc'/)
  const code = '// <b>no markup</b>\nexport const answer: number = 42\n'
  await served.write('docs/code.ts', code)
  await served.write('docs/plain.txt', 'no colours')
  await served.write('docs/book.epub', makeBook(['<h1>One</h1>']))
  await served.write('docs/font.woff2', readFileSync('node_modules/@fontsource-variable/onest/files/onest-latin-wght-normal.woff2'))
  const hash = await share(served, '/docs/')
  await page.goto(`${served.url}/share/${hash}/code.ts`)
  const lines = page.locator('pre')
  await expect(lines).toHaveAttribute('data-coloured', 'true')
  expect(await lines.textContent()).toBe(code)
  const colourOf = (text: string) => lines.getByText(text, { exact: true }).evaluate((one) => getComputedStyle(one).color)
  expect(new Set([await colourOf('export'), await colourOf('42'), await colourOf('// <b>no markup</b>')]).size).toBe(3)
  await expectAccessible(page, 'code behind a link')
  await page.goto(`${served.url}/share/${hash}/plain.txt`)
  await expect(page.getByText('no colours')).toBeVisible()
  await page.goto(`${served.url}/share/${hash}/book.epub`)
  await expect(page.locator('[data-part=book]').frameLocator('iframe').getByRole('heading', { name: 'One' })).toBeVisible()
  await page.goto(`${served.url}/share/${hash}/font.woff2`)
  await expect(page.locator('[data-part=font]').getByText('Six quiet jackdaws').first()).toBeVisible()
})

test('U9: visitors open entries with one click, load more than 500 entries on demand, and see a message in an empty folder', async ({
  page,
  served,
}) => {
  for (let n = 0; n < 503; n++) await served.write(`many/file ${n}.txt`, 'x')
  await mkdir(join(served.root, 'many', 'empty'))
  const hash = await share(served, '/many/')
  await page.goto(`${served.url}/share/${hash}/`)
  await expect(page.getByRole('row')).toHaveCount(500)
  await expect(page.getByText('+ 4', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Show 4 more' }).click()
  await expect(page.getByRole('row')).toHaveCount(504)
  await item(page, 'file 0.txt').click({ modifiers: ['Control'] })
  await expect(item(page, 'file 0.txt')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await item(page, 'empty').click()
  await expect(page.getByText('There is nothing in this folder.')).toBeVisible()
})

test('U9: a shared album is a grid: one click opens an image in the full window, keys and mouse go through the album, Escape returns', async ({
  page,
  served,
}) => {
  for (const [n, background] of ['#5aa0c8', '#c8825a', '#7fc85a'].entries()) {
    const picture = sharp({ create: { width: 900, height: 600, channels: 3, background } })
    await served.write(`album/${n}.jpg`, await picture.jpeg().toBuffer())
  }
  await served.write('album/read me.txt', 'words')
  const hash = await share(served, '/album/')
  await page.goto(`${served.url}/share/${hash}/`)
  const tile = (name: string) => page.locator('[data-part=tile]').filter({ has: page.locator(`bdi[title="${name}"]`) })
  await expect(page.locator('[data-part=tile]')).toHaveCount(4)
  await expect(tile('2.jpg').locator('img')).toHaveAttribute('data-state', 'shown')
  await expectAccessible(page, 'a shared album')
  await tile('1.jpg').click()
  await expect(page.getByRole('img', { name: '1.jpg' })).toHaveAttribute('data-state', 'shown')
  await expect(page.getByText('2 of 3')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Download' })).toHaveAttribute('href', `/api/public/dl/${hash}/1.jpg`)
  await expectAccessible(page, 'a picture of a shared album')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('img', { name: '2.jpg' })).toHaveAttribute('data-state', 'shown')
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('img', { name: '1.jpg' })).toHaveAttribute('data-state', 'shown')
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('img', { name: '0.jpg' })).toHaveAttribute('data-state', 'shown')
  await page.keyboard.press('Escape')
  await expect(tile('0.jpg')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(tile('1.jpg')).toBeFocused()

  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download all' }).click()
  expect((await downloading).suggestedFilename()).toBe('album.zip')
  await page.getByRole('button', { name: 'Other formats' }).click()
  await expect(dialog(page, /album/).getByRole('button', { name: 'tar.gz' })).toBeVisible()
  await page.keyboard.press('Escape')

  const look = await share(served, '/album/', { rights: 'view' })
  await page.goto(`${served.url}/share/${look}/`)
  await tile('1.jpg').click()
  await expect(page.getByRole('img', { name: '1.jpg' })).toHaveAttribute('data-state', 'shown')
  await expect(page.getByRole('link', { name: 'Download' })).toHaveCount(0)
})

test('U9: a large shared folder shows its first entries before it has loaded completely', async ({ page, served }) => {
  for (let n = 0; n < 2100; n++) await served.write(`long/file ${n}.txt`, 'x')
  const hash = await share(served, '/long/')
  // The rest of the answer does not come until it may.
  await page.addInitScript(() => {
    const original = globalThis.fetch
    const gate = Promise.withResolvers<void>()
    Object.assign(globalThis, { letTheRestCome: gate.resolve })
    const held = async (...asked: Parameters<typeof fetch>) => {
      const response = await original(...asked)
      if (response.body === null || response.headers.get('content-type')?.includes('json-seq') !== true) return response
      let texts = 0
      const gated = new TransformStream<Uint8Array, Uint8Array>({
        async transform(chunk, controller) {
          let start = 0
          for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
            controller.enqueue(chunk.slice(start, end + 1))
            start = end + 1
            if (++texts === 1) await gate.promise
          }
          controller.enqueue(chunk.slice(start))
        },
      })
      return new Response(response.body.pipeThrough(gated), response)
    }
    globalThis.fetch = Object.assign(held, { preconnect: () => undefined })
  })
  await page.goto(`${served.url}/share/${hash}/`)
  const list = page.locator('[data-part=share-list]')
  await expect(item(page, 'file 0.txt')).toBeVisible()
  await expect(list).toHaveAttribute('aria-busy', 'true')
  await expect(page.locator('[data-part=share-card]')).toContainText('2,100 files')
  await expect(page.getByRole('button', { name: 'Select multiple' })).toHaveCount(0)
  await page.evaluate(() => (globalThis as unknown as { letTheRestCome: () => void }).letTheRestCome())
  await expect(list).toHaveAttribute('aria-busy', 'false')
  await expect(page.getByRole('row')).toHaveCount(500)
  await expect(page.getByRole('button', { name: 'Select multiple' })).toBeVisible()
})

test('a shared file is previewed beside its card, including subtitles', async ({ page, served }) => {
  await served.write('clips/film.webm', WEBM)
  await served.write('clips/film.en.vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\nhello\n')
  const single = await share(served, '/clips/film.webm')
  const folder = await share(served, '/clips/')
  await page.goto(`${served.url}/share/${single}`)
  await expect(page.getByRole('heading', { level: 1, name: 'film.webm' })).toBeVisible()
  await expect(page.locator('video')).toHaveJSProperty('readyState', 4)
  await expect(page.locator('track')).toHaveCount(0)
  await page.goto(`${served.url}/share/${folder}/film.webm`)
  await expect(page.locator('track')).toHaveAttribute('label', 'en')
  await expect.poll(() => page.locator('video').evaluate((film: HTMLVideoElement) => film.textTracks[0]?.cues?.length ?? 0)).toBe(1)
})

test('late content does not shift the layout of a share page', async ({ served, elsewhere }) => {
  await served.write('docs/a.txt', 'a')
  const hash = await share(served, '/docs/', { expires: '2', unit: 'days' })
  // In the language of long words its buttons need two lines.
  for (const locale of ['en', 'de']) {
    const page = await elsewhere({ ...PHONE, locale })
    let open = () => {}
    const gate = new Promise<void>((resolve) => (open = resolve))
    await page.route('**/assets/share-tools-*.js', async (route) => {
      await gate
      await route.continue()
    })
    await page.goto(`${served.url}/share/${hash}`)
    const list = page.locator('[data-part=share-list]')
    await expect(item(page, 'a.txt')).toBeVisible()
    const before = await list.boundingBox()
    open()
    await expect(page.locator('[data-part=share-card] button[aria-expanded]')).toBeVisible()
    expect(await list.boundingBox()).toEqual(before)
  }
})

test('the Shares screen lists links with paths and owners, copies them, and deletes them after a confirmation', async ({
  page,
  context,
  served,
}) => {
  await context.grantPermissions(CLIPBOARD)
  await served.write('docs/a.txt', 'a')
  const lasting = await share(served, '/docs/')
  const ending = await share(served, '/docs/a.txt', { expires: '5' })
  await signIn(page, served)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Shares' }).click()
  await expect(page).toHaveTitle('Shares')
  const rows = page.getByRole('table', { name: 'Shares' }).getByRole('row')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText('Permanent')
  await expect(rows.nth(1)).toContainText('admin')
  await expect(rows.nth(2)).toContainText('in 5 hours')
  await expect(rows.nth(2).getByRole('link', { name: 'a.txt' })).toHaveAttribute('href', `${served.url}/share/${ending}`)
  await expect(rows.nth(2).getByRole('link', { name: 'a.txt' })).toHaveAttribute('target', '_blank')
  await rows
    .nth(1)
    .getByRole('button', { name: `Copy link ${lasting}` })
    .click()
  await expectNotice(page, 'Link copied!')
  expect(await clipboard(page)).toBe(`${served.url}/share/${lasting}`)
  await expectAccessible(page, 'the Shares screen')
  await rows
    .nth(1)
    .getByRole('button', { name: `Delete link ${lasting}` })
    .click()
  await answer(dialog(page, 'Delete this link?'), 'Cancel')
  await expect(rows).toHaveCount(3)
  await rows
    .nth(1)
    .getByRole('button', { name: `Delete link ${lasting}` })
    .click()
  await answer(dialog(page, 'Delete this link?'), 'Delete link')
  await expectNotice(page, 'Share deleted!')
  await expect(rows).toHaveCount(2)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page, 'the Shares screen on a phone')
  await rows
    .nth(1)
    .getByRole('button', { name: `Delete link ${ending}` })
    .click()
  await answer(dialog(page, 'Delete this link?'), 'Delete link')
  await expect(page.getByText('No links yet')).toBeVisible()
})

test('an expired link and an unknown link show a plain explanation', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 404/)
  await served.write('a.txt', 'a')
  const hash = await share(served, '/a.txt', { expires: '1', unit: 'seconds' })
  await expect.poll(async () => (await fetch(`${served.url}/api/public/share/${hash}`)).status).toBe(404)
  for (const link of [hash, 'neverwas']) {
    await page.goto(`${served.url}/share/${link}`)
    await expect(page.getByRole('main').getByRole('alert')).toContainText('This route cannot be reached.')
    await expect(page.getByRole('main').getByRole('alert')).toContainText('The link may have expired')
  }
  await expectAccessible(page, 'a link that has ended')
})

for (const theme of ['light', 'dark'] as const) {
  test(`the share page has no axe violations, ${theme}, in both directions`, async ({ served, elsewhere }) => {
    await served.write('docs/a.txt', 'a')
    await served.write('docs/b.xlsx', 'b')
    const hash = await share(served, '/docs/')
    for (const locale of ['en-GB', 'ar']) {
      const page = await elsewhere({ locale })
      await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme)
      await page.goto(`${served.url}/share/${hash}/`)
      await expect(page.locator('html')).toHaveAttribute('dir', locale === 'ar' ? 'rtl' : 'ltr')
      await item(page, 'a.txt').click()
      await expectAccessible(page, `a shared folder, ${theme}, ${locale}`)
    }
  })
}

/** An entry of the public list. */
function item(page: Page, name: string) {
  return page.getByRole('row').filter({ has: page.locator(`bdi[title="${name}"]`) })
}

function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}

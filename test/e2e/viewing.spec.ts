import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { zipOf } from '../contract/archive-samples.ts'
import { expectAccessible } from './axe.ts'
import { dialog, row } from './listing.ts'
import { PNG, WAV } from './samples.ts'
import { expect, signIn, test } from './served.ts'

/** Two seconds, 720 × 1280, VP8. */
const TALL = readFileSync('test/e2e/samples/tall.webm')
const DOCX = zipOf([
  { name: '[Content_Types].xml', text: '<Types/>' },
  { name: 'word/document.xml', text: '<w:document><w:p><w:t>Dear Ann,</w:t></w:p><w:p><w:t>the budget is ready.</w:t></w:p></w:document>' },
])
const AVI = Buffer.concat([Buffer.from('RIFF\x00\x10\x00\x00AVI LIST'), Buffer.alloc(4096, 7)])

test('U7: an office document shows its type and its text, and binary data is never offered as text', async ({
  page,
  served,
  complaints,
}) => {
  complaints.foresee(/501 .*api\/preview/)
  await served.write('letter.docx', DOCX)
  await served.write('broken.docx', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(300)]))
  await served.write('old.dat', Buffer.from('caf\xe9 au lait', 'latin1'))
  await served.write('picture.psd', Buffer.from('8BPS\0\x01'))
  await signIn(page, served)
  await row(page, 'letter.docx').dblclick()
  const shown = page.locator('[data-part=file-page]')
  await expect(shown).toContainText('Document (DOCX)')
  await expect(shown.getByRole('link', { name: 'Download' })).toBeVisible()
  const text = page.getByRole('region', { name: 'Text of “letter.docx”' })
  await expect(text).toContainText('Dear Ann,\nthe budget is ready.')
  await expect(page.getByRole('button', { name: 'Open as text' })).toHaveCount(0)
  // A page in the colours of the theme, and no black stage.
  await expect(page.locator('[data-part=preview]')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expectAccessible(page, 'a document')
  for (const name of ['broken.docx', 'picture.psd']) {
    await page.goto(`${served.url}/files/${name}`)
    await expect(shown.getByRole('link', { name: 'Download' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Open as text' })).toHaveCount(0)
    await expect(page.locator('[data-part=document-text]')).toHaveCount(0)
  }
  await page.goto(`${served.url}/files/old.dat`)
  await page.getByRole('button', { name: 'Open as text' }).click()
  await expect(page.getByRole('textbox', { name: 'old.dat' })).toContainText('café au lait')
})

test('U8: a video does not overlap the filmstrip, and has the same size before and during playback', async ({ page, served }) => {
  await served.write('a.webm', TALL)
  await served.write('b.png', PNG)
  // The poster has another size than the film, as the server's have.
  await page.route('**/api/preview/big/**', (route) => route.fulfill({ contentType: 'image/png', body: PNG }))
  let begin = () => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  await page.route('**/api/raw/a.webm*', async (route) => {
    await begun
    return route.continue()
  })
  await signIn(page, served, '/files/a.webm')
  const video = page.locator('video')
  const strip = page.locator('[data-part=filmstrip]')
  await expect(strip).toBeVisible()
  const before = await video.boundingBox()
  begin()
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.videoHeight)).toBe(1280)
  expect(await video.boundingBox()).toEqual(before)
  for (const [width, height] of [
    [1280, 800],
    [820, 600],
    [1280, 480],
  ] as const) {
    await page.setViewportSize({ width, height })
    const [player, below] = [await video.boundingBox(), await strip.boundingBox()]
    expect((player?.y ?? 0) + (player?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
    expect(player?.height).toBeGreaterThan(200)
  }
})

test('U8: an unsupported video shows an explanation and a download, and a supported one shows no message', async ({
  page,
  served,
  complaints,
}) => {
  await served.write('film.avi', AVI)
  await served.write('song.mp3', Buffer.alloc(4000, 3))
  await served.write('sound.wav', WAV)
  complaints.foresee(/501 .*api\/preview/)
  await signIn(page, served, '/files/sound.wav')
  const sound = page.locator('[data-part=audio]')
  await expect(sound).toContainText('Audio (WAV)')
  await expect(sound.locator('audio')).toBeVisible()
  await expectAccessible(page, 'a sound')
  for (const [name, kind] of [
    ['song.mp3', 'this audio file'],
    ['film.avi', 'this video'],
  ] as const) {
    await page.goto(`${served.url}/files/${name}`)
    const word = page.getByRole('alert').filter({ hasText: kind })
    await expect(word).toContainText('This browser can’t play')
    await expect(word.getByRole('link', { name: 'Download' })).toBeVisible()
    await expectAccessible(page, name)
  }
  // The bar does not hide from whoever reads.
  await page.clock.install()
  await page.clock.runFor(5000)
  await expect(page.locator('[data-part=preview]')).not.toHaveAttribute('data-idle')
})

test('U12: Tab never leaves a preview, a dialog, the search, a menu or the drawer of a phone', async ({ page, served }) => {
  await served.write('a.png', PNG)
  await served.write('b.zip', 'PK')
  await served.write('c.txt', 'c')
  await signIn(page, served)
  await row(page, 'a.png').dblclick()
  await expect(page.getByRole('heading', { name: 'a.png' })).toBeVisible()
  await expectWithin(page, '[data-part=preview]', 30)
  // A screen reader's list of landmarks and headings has nothing of the page behind it either.
  for (const landmark of ['main', 'h1']) await expect(page.locator(`${landmark}:not([inert] *)`)).toHaveCount(1)
  await expectAccessible(page, 'a picture')
  await page.keyboard.press('Escape')
  await expect(row(page, 'a.png')).toBeFocused()
  // The page behind is active again.
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.querySelector('#app')?.hasAttribute('inert'))).toBe(false)

  await row(page, 'c.txt').click()
  await page.keyboard.press('F2')
  await expect(dialog(page, /^Rename/)).toBeVisible()
  await expectWithin(page, '[role=dialog]', 15)
  await page.keyboard.press('Escape')
  await expect(dialog(page, /^Rename/)).toHaveCount(0)
  for (const [key, name] of [
    ['ControlOrMeta+f', 'Search'],
    ['ControlOrMeta+k', 'Commands'],
    ['F1', 'Help'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(dialog(page, name)).toBeVisible()
    await expectWithin(page, '[role=dialog]', 25)
    await page.keyboard.press('Escape')
    await expect(dialog(page, name)).toHaveCount(0)
  }
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await expect(page.locator('[data-part=drawer]')).toBeVisible()
  await expectWithin(page, '[data-part=drawer]', 30)
})

test('Home-made: printing a picture prints only the picture, without toolbars, arrows, filmstrip or the page behind it', async ({
  page,
  served,
}) => {
  await served.write('a.png', PNG)
  await served.write('b.png', PNG)
  await signIn(page, served, '/files/a.png')
  const image = page.getByRole('img', { name: 'a.png' })
  await expect(image).toBeVisible()
  await page.mouse.move(640, 400)
  await page.mouse.wheel(0, -300)
  await page.emulateMedia({ media: 'print' })
  await expect(image).toBeVisible()
  await expect(image).toHaveCSS('transform', 'none')
  await expect(page.locator('#app')).toBeHidden()
  await expect(page.getByRole('banner')).toHaveCount(0)
  await expect(page.getByRole('button')).toHaveCount(0)
  await expect(page.locator('[data-part=filmstrip]')).toBeHidden()
  await expect(page.locator('[data-part=preview]')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('U14: help on a phone describes touch gestures and no keyboard', async ({ page, served }) => {
    await signIn(page, served)
    await page.getByRole('button', { name: /^Account/ }).tap()
    await page.getByRole('menuitem', { name: 'Help' }).tap()
    const help = dialog(page, 'Help')
    await expect(help.getByText('Touch and hold')).toBeVisible()
    await expect(help.getByText('Ctrl')).toHaveCount(0)
    await expectAccessible(page, 'the help of a phone')
  })
})

test('Home-made: a font preview can be scrolled by keyboard, and every scrollable element in it is reachable', async ({ page, served }) => {
  await served.write('a.woff2', readFileSync('node_modules/@fontsource-variable/onest/files/onest-latin-wght-normal.woff2'))
  await page.setViewportSize({ width: 820, height: 480 })
  await signIn(page, served, '/files/a.woff2')
  const font = page.locator('[data-part=font]')
  await expect(font.getByRole('heading').first()).toBeAttached()
  await page.getByRole('textbox').fill('A sentence that is far too long to stand in one line of a window, whatever its size')
  await expectAccessible(page, 'a font')
  const stray = await font.evaluate(
    (frame) =>
      [...frame.querySelectorAll('*')].filter(
        (element) => element.scrollWidth > element.clientWidth && ['auto', 'scroll'].includes(getComputedStyle(element).overflowX),
      ).length,
  )
  expect(stray).toBe(0)
  const isFocused = () => font.evaluate((frame) => frame === document.activeElement)
  for (let steps = 0; steps < 30 && !(await isFocused()); steps++) await page.keyboard.press('Shift+Tab')
  await expect(font).toBeFocused()
  await page.keyboard.press('End')
  await expect.poll(() => font.evaluate((frame) => frame.scrollTop)).toBeGreaterThan(0)
})

/** Where the focus is after each of so many steps, in both directions: inside, or nowhere on the page. */
async function expectWithin(page: Page, inside: string, steps: number): Promise<void> {
  for (const key of ['Tab', 'Shift+Tab'])
    for (let step = 0; step < steps; step++) {
      await page.keyboard.press(key)
      const strayed = await page.evaluate((selector) => {
        const active = document.activeElement
        // The edge of a dialog, between its last stop and its first, and the notices, which are never behind anything.
        const isOutside = active === null || active === document.body || active.matches('[data-base-ui-focus-guard], [data-type=outside]')
        if (isOutside || active.closest(`${selector}, [data-part=notices]`) !== null) return null
        return active.outerHTML.slice(0, 160)
      }, inside)
      expect(strayed, `${key} ${step + 1} in ${inside}`).toBeNull()
    }
}

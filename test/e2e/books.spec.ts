import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { makeBook } from './books.ts'
import { row, pick } from './listing.ts'
import { PNG } from './samples.ts'
import { expect, signIn, test } from './served.ts'

const FONT = readFileSync('node_modules/@fontsource-variable/onest/files/onest-latin-wght-normal.woff2')
const LONG = Array.from({ length: 60 }, (_, n) => `<p>Paragraph ${n + 1} of a long chapter, which goes on and on.</p>`).join('')

test.beforeEach(({ complaints }) => {
  // What the walks themselves would put into every frame does not run in this one.
  complaints.foresee(/Blocked script execution in 'about:srcdoc'/)
})

test('the book reader shows contents, chapters, images and notes, has text size and paper, and remembers the position', async ({
  page,
  served,
}) => {
  const contents =
    '<li><a href="text/1.xhtml">The beginning</a><ol><li><a href="text/2.xhtml">The middle</a></li></ol></li><li><a href="text/3.xhtml#late">A late spot</a></li>'
  const chapters = [
    '<h1>One</h1><p>It was&nbsp;a night &amp; <a href="2.xhtml#note">see the note</a>, <a href="https://elsewhere.example/">elsewhere</a>.</p><p><img src="../pictures/a%20b.png" alt="A dot"/></p>',
    `<h1>Two</h1>${LONG}<p id="note">The note.</p>`,
    `<h1>Three</h1>${LONG}<h2 id="late">Late</h2>${LONG}`,
  ]
  await served.write(
    'a.epub',
    makeBook(chapters, { title: 'Night & Day'.replace('&', '&amp;'), contents, extra: [{ name: 'OPS/pictures/a b.png', text: PNG }] }),
  )
  await served.write('b.png', PNG)
  await signIn(page, served)
  await row(page, 'a.epub').dblclick()
  await expect(text(page).getByRole('heading', { name: 'One' })).toBeVisible()
  await expect(page.getByText('Night & Day')).toBeVisible()
  await expect(text(page).getByText('It was a night & see the note, elsewhere.')).toBeVisible()
  await expect
    .poll(() =>
      text(page)
        .getByRole('img', { name: 'A dot' })
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBe(1)
  await expectAccessible(page, 'a book')

  await text(page).getByRole('link', { name: 'see the note' }).click()
  await expect(text(page).getByText('The note.')).toBeInViewport()
  await expect(page.getByText('Chapter 2 of 3')).toBeVisible()
  await page.getByRole('button', { name: 'Previous chapter' }).press('Enter')
  await expect(text(page).getByRole('heading', { name: 'One' })).toBeVisible()

  await page.getByRole('button', { name: 'Contents' }).press('Enter')
  const list = page.getByRole('navigation', { name: 'Contents' })
  await expect(list.getByRole('button', { name: 'The beginning' })).toBeFocused()
  await expectAccessible(page, 'the contents of a book')
  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)
  await page.getByRole('button', { name: 'Contents' }).click()
  await list.getByRole('button', { name: 'A late spot' }).click()
  await expect(text(page).getByRole('heading', { name: 'Late' })).toBeInViewport()

  const size = () =>
    text(page)
      .locator('p')
      .first()
      .evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize))
  const before = await size()
  await page.getByRole('button', { name: 'Larger text' }).click()
  await expect.poll(size).toBeGreaterThan(before)
  await pick(page, 'Sepia')
  await expect(text(page).locator('html')).toHaveAttribute('data-paper', 'sepia')

  await text(page)
    .locator('html')
    .evaluate((root) => (root.scrollTop = root.scrollHeight * 0.4))
  const place = () =>
    text(page)
      .locator('html')
      .evaluate((root) => root.scrollTop / (root.scrollHeight - root.clientHeight))
  const left = await place()
  await expect.poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('satchel-books') ?? '[]')[0]?.[2])).toBeCloseTo(left, 2)
  await page.reload()
  await expect(page.getByText('Chapter 3 of 3')).toBeVisible()
  await expect.poll(place).toBeCloseTo(left, 1)
  await expect(text(page).locator('html')).toHaveAttribute('data-paper', 'sepia')
  await page.keyboard.press('ArrowLeft')
  await expect(text(page).getByRole('heading', { name: 'Two' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(`${served.url}/files/`)
})

test('a right-to-left book turns its pages the other way, and an invalid book shows an error', async ({ page, served }) => {
  await served.write(
    'قصة.epub',
    makeBook(['<h1>الفصل الأول</h1><p>كان يا ما كان</p>', '<h1>الفصل الثاني</h1>'], { language: 'ar', title: 'قصة' }),
  )
  await served.write('no.epub', 'PK, but no book')
  await signIn(page, served, '/files/%D9%82%D8%B5%D8%A9.epub')
  await expect(text(page).getByRole('heading', { name: 'الفصل الأول' })).toBeVisible()
  expect(
    await text(page)
      .locator('p')
      .evaluate((one) => getComputedStyle(one).direction),
  ).toBe('rtl')
  await page.keyboard.press('ArrowLeft')
  await expect(text(page).getByRole('heading', { name: 'الفصل الثاني' })).toBeVisible()
  const [previous, next] = await Promise.all(
    ['Previous', 'Next'].map((name) => page.getByRole('button', { name: `${name} chapter` }).boundingBox()),
  )
  expect(next?.x).toBeLessThan(previous?.x ?? 0)
  await page.goto(`${served.url}/files/no.epub`)
  await expect(page.getByText('This file can’t be shown here.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Download' }).first()).toBeVisible()
})

test('a font preview shows the user’s own text, and the font is used nowhere else', async ({ page, served }) => {
  await served.write('onest.woff2', FONT)
  await served.write('broken.ttf', Buffer.concat([Buffer.from([0, 1, 0, 0, 0, 9]), Buffer.alloc(400, 7)]))
  await signIn(page, served, '/files/onest.woff2')
  const shown = page.locator('[data-part=font]')
  await expect(shown.getByText('Six quiet jackdaws').first()).toBeVisible()
  await expect(shown.getByText('WOFF2', { exact: true })).toBeVisible()
  // It has Latin letters alone.
  await expect(shown.locator('dt', { hasText: 'Latin' }).first()).toBeVisible()
  await expect(shown.locator('dt', { hasText: /Arabic|Greek|Chinese|Simplified/ })).toHaveCount(0)
  await shown.getByRole('textbox', { name: 'Sample text' }).fill('Hamburg <b>')
  await expect(shown.getByText('Hamburg <b>')).toHaveCount(6)
  const drawn = await page.evaluate(() => {
    const families = [...document.fonts].map(({ family }) => family).filter((family) => family.includes('shown-font-'))
    const users = [...document.querySelectorAll('*')].filter((one) => getComputedStyle(one).fontFamily.includes('shown-font-'))
    return { families: families.length, outside: users.filter((one) => one.closest('[data-part=font]') === null).length }
  })
  expect(drawn).toEqual({ families: 1, outside: 0 })
  await expectAccessible(page, 'a font')
  await page.goto(`${served.url}/files/broken.ttf`)
  await expect(page.getByText('This file can’t be shown here.')).toBeVisible()
  expect(await page.evaluate(() => [...document.fonts].filter(({ family }) => family.includes('shown-font-')).length)).toBe(0)
})

/** What the frame of a book shows. */
function text(page: Page) {
  return page.locator('[data-part=book]').frameLocator('iframe')
}

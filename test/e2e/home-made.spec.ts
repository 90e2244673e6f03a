import type { Page } from '@playwright/test'
import { zipOf } from '../contract/archive-samples.ts'
import { choose, details, row } from './listing.ts'
import { expect, signIn, test } from './served.ts'
import { PNG } from './samples.ts'

test('Home-made: the header names its actions, titles are not cut, sizes are aligned, and the type is next to the name', async ({
  page,
  served,
}) => {
  await served.write('docs/a.txt', 'a')
  await served.write('short.txt', 'x')
  await served.write('long.bin', new Uint8Array(123_456))
  await signIn(page, served)
  const header = page.locator('[data-part=listing-header]')
  await expect(header.getByRole('button', { name: 'Upload', exact: true })).toHaveText('Upload')
  // The view switch aside: the details, and a menu for everything else.
  await expect(header.locator('button:not([role=radio])')).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'New folder' })).toHaveCount(1)

  await expect(page.getByRole('columnheader', { name: 'Type' })).toBeVisible()
  const ends = await Promise.all(['short.txt', 'long.bin'].map((name) => edgesOf(page, name, '[data-column=size]')))
  expect(new Set(ends.map(({ right }) => Math.round(right))).size).toBe(1)

  await page.setViewportSize({ width: 1920, height: 1080 })
  const [list, name, type] = await Promise.all([
    edgesOf(page, 'short.txt', null),
    edgesOf(page, 'short.txt', 'bdi'),
    edgesOf(page, 'short.txt', '[data-column=type]'),
  ])
  expect(type.left - name.right).toBeLessThan((list.right - list.left) * 0.36)

  await page.setViewportSize({ width: 820, height: 1000 })
  await page.getByRole('row').first().waitFor()
  await page.goto(`${served.url}/files/docs/`)
  const title = header.getByText('docs', { exact: true }).last()
  await row(page, 'a.txt').click()
  await expect(title).toBeVisible()
  expect(await title.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
})

test('Home-made: details begin with the most useful facts, and checksums are computed on request', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await signIn(page, served)
  await choose(page, row(page, 'a.txt'), 'Details')
  await expect(details(page).getByRole('term').first()).toHaveText('Type')
  await expect(details(page).getByText('SHA-256')).toBeHidden()
  await details(page).getByText('Checksums').click()
  await expect(details(page).getByText('SHA-256')).toBeVisible()
})

test('Home-made: each page has one h1 and one main landmark; archives and documents have no black background', async ({ page, served }) => {
  await served.write('photo.png', PNG)
  await served.write('a.txt', 'a')
  await served.write('pack.zip', zipOf([{ name: 'inside.txt', text: 'inside' }]))
  await served.write('letter.docx', zipOf([{ name: 'word/document.xml', text: '<w:p><w:t>Dear Ann</w:t></w:p>', deflate: true }]))
  await signIn(page, served)
  for (const place of [
    '/files/',
    '/files/photo.png',
    '/files/a.txt',
    '/files/pack.zip',
    '/files/letter.docx',
    '/recent',
    '/settings/global',
  ]) {
    await page.goto(served.url + place)
    await expect(page.getByRole('heading', { level: 1 }), place).toHaveCount(1)
    await expect(page.locator('main:not([inert] *)'), place).toHaveCount(1)
    expect(await page.locator('main main').count(), place).toBe(0)
    if (/zip|docx/.test(place)) expect(await lightnessOf(page), place).toBeGreaterThan(0.9)
  }
})

test('Home-made: text follows the font size of the browser', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await signIn(page, served)
  const sizes = () => page.evaluate(() => ['[data-item] bdi', 'nav a', 'h1'].map((one) => fontSizeOf(document.querySelector(one))))
  await page.evaluate(() => {
    Object.assign(globalThis, { fontSizeOf: (one: Element | null) => (one === null ? 0 : parseFloat(getComputedStyle(one).fontSize)) })
  })
  await expect(row(page, 'a.txt')).toBeVisible()
  const before = await sizes()
  const browser = await page.context().newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
  await expect.poll(sizes).toEqual(before.map((size) => size * 2))
})

declare function fontSizeOf(one: Element | null): number

/** Where the words in a part of an entry begin and end; of the whole row without a part. */
async function edgesOf(page: Page, name: string, part: string | null): Promise<{ left: number; right: number }> {
  const whole = row(page, name)
  return (part === null ? whole : whole.locator(part).first()).evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const { left, right } = range.getBoundingClientRect()
    return { left, right }
  })
}

/** Of what lies behind the file on show: 0 is black, 1 is white. */
function lightnessOf(page: Page): Promise<number> {
  return page.locator('[data-part=preview]').evaluate((stage) => {
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(stage).backgroundColor.match(/[\d.]+/g) ?? []).map(Number)
    return (red + green + blue) / 3 / 255
  })
}

import type { Locator, Page } from '@playwright/test'
import { docx } from '../contract/office-samples.ts'
import { expectAccessible } from './axe.ts'
import { share } from './links.ts'
import { pdfOf } from './pdf-sample.ts'
import { expect, signIn, test } from './served.ts'

const TEXTS = Array.from({ length: 12 }, (_, index) => `Page ${index + 1}: ${index === 6 ? 'the pelican' : 'a sparrow'} sits on the roof`)

test('a PDF is turned, zoomed and searched, and its page stands in the address', { tag: '@whole' }, async ({ page, served }) => {
  await served.write('birds.pdf', pdfOf(TEXTS, { link: 'https://example.org/' }))
  const requests = outsideOf(page, served.url)
  await signIn(page, served, '/files/birds.pdf')
  const view = page.locator('[data-part=pdf]')
  await expect(view.getByText('Page 1: a sparrow')).toBeVisible()
  await expect(view.getByText('of 12')).toBeVisible()
  await expectAccessible(page, 'a PDF')

  const field = view.getByRole('textbox', { name: 'Page number' })
  await field.fill('9')
  await field.press('Enter')
  await expect(view.getByText('Page 9: a sparrow')).toBeInViewport()
  await expect(page).toHaveURL(/\/files\/birds\.pdf#page=9$/)
  await view.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/#page=10$/)
  await page.reload()
  await expect(view.getByText('Page 10: a sparrow')).toBeInViewport()

  await page.keyboard.press('Control+f')
  const search = view.getByRole('searchbox', { name: 'Find' })
  await expect(search).toBeFocused()
  await search.fill('pelican')
  await expect(view.getByText('1 of 1')).toBeVisible()
  await expect(view.locator('.highlight.selected')).toBeInViewport()
  await expect(field).toHaveValue('7')
  await search.fill('ostrich')
  await expect(view.getByText('No matches')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(search).toHaveCount(0)

  await view.getByRole('button', { name: 'Pages and contents' }).click()
  await view.getByRole('button', { name: 'Chapter 3' }).click()
  await expect(view.getByText('Page 3: a sparrow')).toBeInViewport()
  await expectAccessible(page, 'the outline of a PDF')
  await view
    .getByRole('radio', { name: 'Pages' })
    .or(view.getByRole('button', { name: 'Pages', exact: true }))
    .click()
  await expect(view.getByRole('button', { name: 'Page 3', exact: true })).toBeInViewport({ ratio: 0.9 })
  await view.getByRole('button', { name: 'Page 5', exact: true }).click()
  await expect(view.getByText('Page 5: a sparrow')).toBeInViewport()

  const before = await pageWidth(view)
  await view.getByRole('region', { name: 'birds.pdf' }).press('+')
  await expect.poll(() => pageWidth(view)).toBeGreaterThan(before * 1.1)
  await page.keyboard.press('0')
  // A link of the PDF opens in another tab, and takes nothing along.
  await field.fill('1')
  await field.press('Enter')
  const link = view.locator('.annotationLayer a[href]')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', /noopener/)
  expect(requests).toEqual([])

  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/files\/$/)
})

test('a PDF is zoomed by Ctrl and the wheel, and Escape closes the search, the side panel, and the preview', async ({ page, served }) => {
  await served.write('birds.pdf', pdfOf(TEXTS))
  await signIn(page, served, '/files/birds.pdf')
  const view = page.locator('[data-part=pdf]')
  const region = view.getByRole('region', { name: 'birds.pdf' })
  await expect(view.getByText('Page 1: a sparrow')).toBeVisible()
  const before = await pageWidth(view)
  await region.hover()
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -100)
  await page.keyboard.up('Control')
  await expect.poll(() => pageWidth(view)).toBeGreaterThan(before * 1.1)

  const field = view.getByRole('textbox', { name: 'Page number' })
  await field.fill('9')
  await field.press('Enter')
  await expect(view.getByText('Page 9: a sparrow')).toBeInViewport()
  await expect(field).toBeFocused()
  await field.fill('1')
  await field.press('Escape')
  await expect(field).toHaveValue('9')
  await view.getByRole('button', { name: 'Pages and contents' }).click()
  await page.keyboard.press('Control+f')
  await page.keyboard.press('Escape')
  await expect(view.getByRole('searchbox')).toHaveCount(0)
  const chapter = view.getByRole('button', { name: 'Chapter 3' })
  await chapter.focus()
  await page.keyboard.press('Escape')
  await expect(chapter).toHaveCount(0)
  await expect(region).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/files\/$/)
})

test('the text of a PDF can be selected and copied', async ({ page, served }) => {
  await served.write('a.pdf', pdfOf(['Copy me']))
  await signIn(page, served, '/files/a.pdf')
  await page.getByText('Copy me').dblclick()
  expect(await page.evaluate(() => String(getSelection()).trim())).toBe('Copy')
})

test('a damaged PDF says so and can be downloaded', async ({ page, served }) => {
  await served.write('broken.pdf', 'this is no PDF')
  await signIn(page, served, '/files/broken.pdf')
  await expect(page.getByText('This PDF can’t be displayed. It may be damaged.')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Download' }).last()).toBeVisible()
})

test('U7: a Word document is shown with its layout, also to visitors', async ({ page, served, elsewhere }) => {
  await served.write('letter.docx', docx('Dear Ann, the budget is ready.'))
  await signIn(page, served, '/files/letter.docx')
  const view = page.locator('[data-part=pdf]')
  await expect(view.getByText('Dear Ann, the budget is ready.')).toBeVisible()
  await expect(view.getByText('of 1')).toBeVisible()
  await expectAccessible(page, 'a document with its layout')
  const hash = await share(served, '/letter.docx')
  const visitor = await elsewhere()
  await visitor.goto(`${served.url}/share/${hash}/`)
  await expect(visitor.locator('[data-part=pdf]').getByText('Dear Ann, the budget is ready.')).toBeVisible()
})

test.describe('on a phone, in Arabic', () => {
  test.use({ locale: 'ar', viewport: { width: 390, height: 844 }, hasTouch: true })

  test('a PDF has its tools in one row, its contents give way to the page that is chosen, and two fingers zoom it', async ({
    page,
    served,
  }) => {
    await served.write('birds.pdf', pdfOf(TEXTS))
    await signIn(page, served, '/files/birds.pdf')
    const view = page.locator('[data-part=pdf]')
    await expect(view.getByText('Page 1: a sparrow')).toBeVisible()
    for (const button of await view.getByRole('toolbar').getByRole('button').all()) await expect(button).toBeInViewport({ ratio: 1 })
    await view.getByRole('button', { name: 'الصفحات والمحتويات' }).click()
    await view.getByRole('button', { name: 'Chapter 3' }).click()
    await expect(view.getByText('Page 3: a sparrow')).toBeInViewport()
    await expect(view.getByRole('complementary')).toHaveCount(0)
    await expectAccessible(page, 'a PDF on a phone in Arabic')
    const tops = await view
      .getByRole('toolbar')
      .getByRole('button')
      .evaluateAll((buttons) => buttons.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().top))
    expect(new Set(tops).size).toBe(1)
    const before = await pageWidth(view)
    await spread(page, { x: 195, y: 400 })
    await expect.poll(() => pageWidth(view)).toBeGreaterThan(before * 1.3)
    expect(await page.evaluate(() => visualViewport?.scale)).toBe(1)
    await page.keyboard.press('0')
    await expect.poll(() => pageWidth(view)).toBeLessThan(390)
    await page.setViewportSize({ width: 640, height: 390 })
    await expect.poll(() => pageWidth(view)).toBeGreaterThan(500)
  })
})

async function pageWidth(view: Locator): Promise<number> {
  return (await view.locator('.page').first().boundingBox())?.width ?? 0
}

/** Two fingers move apart. */
async function spread(page: Page, { x, y }: { x: number; y: number }): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        type === 'touchEnd'
          ? []
          : [
              { x: x - apart, y, id: 0 },
              { x: x + apart, y, id: 1 },
            ],
    })
  await touch('touchStart', 40)
  for (let apart = 60; apart <= 140; apart += 20) await touch('touchMove', apart)
  await touch('touchEnd', 140)
}

/** Requests to other origins. */
function outsideOf(page: Page, own: string): string[] {
  const outside: string[] = []
  page.on('request', (request) => {
    const address = request.url()
    if (!address.startsWith(own) && !/^(data|blob):/.test(address)) outside.push(address)
  })
  return outside
}

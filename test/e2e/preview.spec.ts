import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { answer, dialog, expectNames, row, pick, fillName } from './listing.ts'
import { PDF, PNG, WAV, WEBM } from './samples.ts'
import { expect, signIn, test } from './served.ts'
import { reachForBar } from './stage.ts'
import { doubleTap } from './touch.ts'

test('arrows and Enter go through the media files and skip others; Escape returns to the listing', async ({ page, served }) => {
  for (let n = 0; n < 60; n++) await served.write(`note ${n}.txt`, '')
  await served.write('photo 1.png', PNG)
  await served.write('photo 2.zip', 'PK')
  await served.write('photo 3.png', PNG)
  await served.write('photo 4.wav', WAV)
  await signIn(page, served)
  await row(page, 'note 0.txt').focus()
  await page.keyboard.press('End')
  await page.keyboard.press('p')
  await expect(row(page, 'photo 1.png')).toBeFocused()
  await page.keyboard.press('Enter')
  await expectShown(page, 'photo 1.png')
  await expect(page).toHaveTitle('photo 1.png - Files')
  await expect(page.getByText('1 of 3')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Previous' })).toHaveCount(0)
  await page.keyboard.press('*')
  await expect(page.getByText('“photo 1.png” is a favourite')).toBeVisible()
  await reachForBar(page)
  await expect(page.getByRole('button', { name: 'Remove from favourites' })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expectShown(page, 'photo 3.png')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'photo 4.wav' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next' })).toHaveCount(0)
  await page.keyboard.press('ArrowLeft')
  await expectShown(page, 'photo 3.png')
  await page.getByRole('button', { name: 'Previous' }).click()
  await expectShown(page, 'photo 1.png')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(`${served.url}/files/`)
  await expect(row(page, 'photo 1.png')).toBeFocused()
  await expect(row(page, 'photo 1.png')).toBeInViewport()
})

test('a video plays with its subtitles', async ({ page, served }) => {
  await served.write('film.webm', WEBM)
  await served.write('film.de.srt', '1\n00:00:00,000 --> 00:00:02,000\nGuten Tag\n')
  await signIn(page, served)
  await row(page, 'film.webm').dblclick()
  const video = page.locator('video')
  await expect.poll(() => video.evaluate((film: HTMLVideoElement) => film.videoWidth)).toBe(64)
  await expect
    .poll(() =>
      video.evaluate((film: HTMLVideoElement) => {
        const [track] = film.textTracks
        const [cue] = track?.cues ?? []
        return `${track?.label}: ${cue instanceof VTTCue ? cue.text : ''}`
      }),
    )
    .toBe('de: Guten Tag')
})

test('audio plays, a PDF is shown, and other files show their type', { tag: '@whole' }, async ({ page, served }) => {
  await served.write('a.wav', WAV)
  await served.write('b.pdf', PDF)
  await served.write('c.xyz', new Uint8Array([0, 1, 2]))
  await signIn(page, served, '/files/a.wav')
  await expect.poll(() => page.locator('audio').evaluate((sound: HTMLAudioElement) => sound.duration)).toBeGreaterThan(0)
  const answered = page.waitForResponse(/\/api\/raw\/b\.pdf/)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.locator('[data-part=pdf]').getByText('Hello')).toBeVisible()
  expect((await answered).headers()['content-type']).toContain('application/pdf')
  await page.goto(`${served.url}/files/c.xyz`)
  await expect(page.getByText('This file can’t be shown here.')).toBeVisible()
  await expect(page.getByText('3 bytes').first()).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('main').getByRole('link', { name: 'Download' }).last().click()
  expect((await downloading).suggestedFilename()).toBe('c.xyz')
  // A link that leads nowhere has no bytes: it can be renamed and deleted, and that is all that is offered.
  await symlink('nowhere', join(served.root, 'lost.wav'))
  await page.goto(`${served.url}/files/lost.wav`)
  await expect(page.getByText('This link’s target is missing.')).toBeVisible()
  for (const name of ['Rename', 'Delete', 'Details']) await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /Share|favourite/ })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Download' })).toHaveCount(0)
})

test('deleting shows the next file, then the previous one, and finally the folder', async ({ page, served }) => {
  for (const name of ['a.png', 'b.png', 'c.png']) await served.write(name, PNG)
  // What the folder tells of a neighbour is enough to show it: nobody waits for the server to say the rest.
  let answerNow = () => {}
  const answered = new Promise<void>((resolve) => (answerNow = resolve))
  await page.route('**/api/resources/c.png', async (route) => {
    if (route.request().method() === 'GET') await answered
    return route.continue()
  })
  await signIn(page, served)
  await row(page, 'b.png').dblclick()
  await expectShown(page, 'b.png')
  await page
    .locator('[data-part=preview]')
    .getByRole('status')
    .evaluate((region) => (region.dataset.seen = ''))
  for (const [name, next] of [
    ['b.png', 'c.png'],
    ['c.png', 'a.png'],
  ] as const) {
    await expectShown(page, name)
    await reachForBar(page)
    await page.getByRole('button', { name: 'Delete' }).click()
    await answer(dialog(page, `Delete “${name}”?`), 'Move to trash')
    await expectShown(page, next)
    // The very region that stood there before: a new one would not be read aloud.
    await expect(page.locator('[data-seen]')).toHaveText(next)
    answerNow()
  }
  await page.getByRole('button', { name: 'Delete' }).click()
  await answer(dialog(page, 'Delete “a.png”?'), 'Move to trash')
  await expect(page.getByText('This folder is empty')).toBeVisible()
})

test('renaming in the preview keeps the file open', async ({ page, served }) => {
  await served.write('a.png', PNG)
  await signIn(page, served)
  await row(page, 'a.png').dblclick()
  await expectShown(page, 'a.png')
  await reachForBar(page)
  await page.getByRole('button', { name: 'Rename' }).click()
  const prompt = dialog(page, 'Rename “a.png”')
  await fillName(prompt, 'z.png')
  await answer(prompt, 'Rename')
  await expectShown(page, 'z.png')
  await page.keyboard.press('Escape')
  await expectNames(page, ['z.png'])
})

test('an image zooms in steps of a quarter by wheel, and by double click', async ({ page, served }) => {
  await served.write('a.png', PNG)
  await signIn(page, served, '/files/a.png')
  const image = page.getByRole('img', { name: 'a.png' })
  await expect(image).toBeVisible()
  const scale = () => image.evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).a)
  await page.mouse.move(640, 400)
  await page.mouse.wheel(0, -100)
  await expect.poll(scale).toBe(1.25)
  await page.mouse.wheel(0, 100)
  await expect.poll(scale).toBe(1)
  for (const expected of [2, 4, 1]) {
    await page.mouse.dblclick(640, 400)
    await expect.poll(scale).toBe(expected)
  }
})

test('keys zoom in steps of a quarter between 0.25 and 4, and dragging stops at the edge', async ({ page, served }) => {
  await served.write('a.svg', drawing(4000, 3000))
  await signIn(page, served, '/files/a.svg')
  await shownImage(page, 'a.svg')
  for (let press = 0; press < 14; press++) await page.keyboard.press('+')
  await expect.poll(() => zoomOf(page)).toMatchObject({ scale: 4 })
  for (let time = 0; time < 5; time++) await drag(page)
  const { image, stage } = await boxes(page)
  expect(Math.abs(image.x - stage.x)).toBeLessThan(1)
  expect(Math.abs(image.y - stage.y)).toBeLessThan(1)
  for (let press = 0; press < 20; press++) await page.keyboard.press('-')
  await expect.poll(() => zoomOf(page)).toEqual({ scale: 0.25, x: 0, y: 0 })
})

test('the next image is preloaded', async ({ page, served }) => {
  for (const name of ['a.png', 'b.png']) await served.write(name, PNG)
  const whole = page.waitForRequest((request) => /^\/api\/(raw|preview\/big)\/b\.png$/.test(new URL(request.url()).pathname))
  await signIn(page, served, '/files/a.png')
  await whole
  await expectShown(page, 'a.png')
})

test('resizing the window keeps the zoom and moves the image back into bounds', async ({ page, served }) => {
  await served.write('a.svg', drawing(4000, 3000))
  await signIn(page, served, '/files/a.svg')
  await shownImage(page, 'a.svg')
  await page.mouse.dblclick(640, 400)
  await drag(page)
  const { x } = await zoomOf(page)
  expect(x).toBeGreaterThan(0)
  await page.setViewportSize({ width: 1800, height: 500 })
  await expect.poll(async () => (await zoomOf(page)).x).toBe(0)
  expect((await zoomOf(page)).scale).toBe(2)
})

test('the preview shows the size of the file, and the filmstrip links to the others', async ({ page, served }) => {
  for (const name of ['a.png', 'b.png', 'c.wav']) await served.write(name, name.endsWith('png') ? PNG : WAV)
  await signIn(page, served, '/files/a.png')
  await expect(page.getByText('1 of 3 · 70 bytes · 1 × 1')).toBeVisible()
  const strip = page.getByRole('navigation', { name: 'Media in this folder' })
  await expect(strip.getByRole('button')).toHaveCount(3)
  await expect(strip.getByRole('button', { name: 'a.png' })).toHaveAttribute('aria-current', 'true')
  await reachForBar(page)
  await strip.getByRole('button', { name: 'b.png' }).click()
  await expectShown(page, 'b.png')
  await expect(strip.getByRole('button', { name: 'b.png' })).toHaveAttribute('aria-current', 'true')
})

test('the controls hide when the mouse rests, except under the pointer or with focus', async ({ page, served }) => {
  await served.write('a.png', PNG)
  await signIn(page, served, '/files/a.png')
  await shownImage(page, 'a.png')
  const stage = page.locator('[data-part=preview]')
  await page.mouse.move(300, 300)
  await expect(stage).toHaveAttribute('data-idle')
  await page.mouse.move(320, 320)
  await expect(stage).not.toHaveAttribute('data-idle')
  await expect(stage).toHaveAttribute('data-idle')
  // As by the keyboard, which is what shows the focus.
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Back to the folder' }).focus()
  // Twice the time after which they would hide.
  await page.clock.install()
  await page.clock.runFor(4000)
  await expect(stage).not.toHaveAttribute('data-idle')
})

test('subtitles can be chosen or disabled, and the playback speed of a video can be changed', async ({ page, served }) => {
  await served.write('film.webm', WEBM)
  await served.write('film.de.srt', '1\n00:00:00,000 --> 00:00:02,000\nGuten Tag\n')
  await served.write('film.en.ass', '[Events]\nFormat: Layer, Start, End, Style, Text\nDialogue: 0,0:00:00.00,0:00:02.00,x,Good day\n')
  await signIn(page, served, '/files/film.webm')
  const video = page.locator('video')
  const modes = () => video.evaluate((film: HTMLVideoElement) => [...film.textTracks].map(({ label, mode }) => `${label} ${mode}`))
  await expect.poll(modes).toEqual(['de showing', 'en disabled'])
  await reachForBar(page)
  await page.getByRole('button', { name: 'Subtitles' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'en' }).click()
  await expect.poll(modes).toEqual(['de disabled', 'en showing'])
  await page.getByRole('button', { name: 'Subtitles' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Off' }).click()
  await expect.poll(modes).toEqual(['de disabled', 'en disabled'])
  await page.getByRole('button', { name: 'Speed' }).click()
  await page.getByRole('menuitemcheckbox', { name: '2×' }).click()
  await expect.poll(() => video.evaluate((film: HTMLVideoElement) => film.playbackRate)).toBe(2)
})

test('Markdown and CSV files open as text, and are rendered on request', async ({ page, served }) => {
  await served.write(
    'docs/plan.md',
    '# Plan\n\n- [x] done\n- open\n\nسلام plan\n\n![dot](../dot.png) [next](next.md#part) [out](https://example.org/)\n',
  )
  await served.write('docs/next.md', 'more')
  await served.write('dot.png', PNG)
  let sheet = 'name;sum\n'
  for (let n = 1; n <= 20_000; n++) sheet += `row ${n};${n}\n`
  await served.write('sums.csv', sheet)
  await signIn(page, served, '/files/docs/plan.md')
  const letters = page.getByRole('textbox', { name: 'plan.md' })
  await expect(letters).toContainText('# Plan')
  await pick(page, 'Split')
  await expect(page.getByRole('heading', { name: 'Plan', exact: true })).toBeVisible()
  await expect(letters.getByText('سلام plan')).toHaveCSS('direction', 'rtl')
  await expect(letters.getByText('- open')).toHaveCSS('direction', 'ltr')
  await expect(page.locator('[data-part=markdown]').getByText('done')).toHaveCSS('list-style-type', 'none')
  await expect(page.locator('[data-part=markdown]').getByText('open')).toHaveCSS('list-style-type', 'disc')
  const dot = page.getByRole('img', { name: 'dot' })
  await expect.poll(() => dot.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  await letters.press('Control+End')
  await letters.pressSequentially('**new words**')
  await expect(page.locator('[data-part=markdown] strong')).toHaveText('new words')
  await expect(page.getByRole('link', { name: 'out' })).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  await letters.press('Control+s')
  await expect(page.getByRole('img', { name: 'Unsaved changes' })).toHaveCount(0)
  await page.getByRole('link', { name: 'next' }).click()
  await expect(page).toHaveURL(`${served.url}/files/docs/next.md`)
  await page.goto(`${served.url}/files/sums.csv`)
  await pick(page, 'Table')
  await expect(page.getByText('20,000 rows, 2 columns')).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'sum' })).toBeVisible()
  expect(await page.getByRole('table').getByRole('row').count()).toBeLessThan(80)
  await page.locator('[data-part=csv]').getByRole('region').press('End')
  await expect(page.getByRole('cell', { name: 'row 20000' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'sum' })).toBeInViewport()
})

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('pinching zooms, a double tap cycles the zoom, a tap hides the controls, and a swipe opens the next file', async ({
    page,
    served,
  }) => {
    await served.write('a.svg', drawing(400, 300))
    await served.write('b.zip', 'PK')
    await served.write('c.svg', drawing(400, 300))
    await signIn(page, served, '/files/a.svg')
    await shownImage(page, 'a.svg')
    const stage = page.locator('[data-part=preview]')
    await expect(stage).toHaveAttribute('data-idle')
    await page.touchscreen.tap(195, 420)
    await expect(stage).not.toHaveAttribute('data-idle')
    await page.touchscreen.tap(195, 420)
    await expect(stage).toHaveAttribute('data-idle')
    for (const expected of [2, 4, 1]) {
      await doubleTap(page, { x: 195, y: 420 })
      await expect.poll(async () => (await zoomOf(page)).scale).toBe(expected)
    }
    await fingers(page, [
      [
        { x: 145, y: 420 },
        { x: 245, y: 420 },
      ],
      [
        { x: 95, y: 420 },
        { x: 295, y: 420 },
      ],
    ])
    await expect.poll(async () => (await zoomOf(page)).scale).toBeCloseTo(2)
    await fingers(page, [
      [
        { x: 95, y: 420 },
        { x: 295, y: 420 },
      ],
      [
        { x: 145, y: 420 },
        { x: 245, y: 420 },
      ],
    ])
    await expect.poll(async () => (await zoomOf(page)).scale).toBeCloseTo(1)
    await fingers(page, [[{ x: 300, y: 420 }], [{ x: 200, y: 425 }], [{ x: 100, y: 425 }]])
    await shownImage(page, 'c.svg')
    await fingers(page, [[{ x: 100, y: 420 }], [{ x: 200, y: 425 }], [{ x: 300, y: 425 }]])
    await shownImage(page, 'a.svg')
    await page.touchscreen.tap(195, 420)
    await page.getByRole('button', { name: 'More' }).click()
    await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
  })
})

test('the previous and next buttons and the arrow keys follow the reading direction', async ({ page, served }) => {
  for (const name of ['a.png', 'b.png', 'c.png']) await served.write(name, PNG)
  await signIn(page, served, '/files/b.png')
  await shownImage(page, 'b.png')
  await page.evaluate(() => (document.documentElement.dir = 'rtl'))
  const [previous, next] = await Promise.all(
    ['Previous', 'Next'].map((name) => page.getByRole('button', { name, exact: true }).boundingBox()),
  )
  expect(previous?.x ?? 0).toBeGreaterThan(next?.x ?? 0)
  await page.keyboard.press('ArrowLeft')
  await expectShown(page, 'c.png')
})

test('the viewers have no axe violations', async ({ page, served }) => {
  await served.write('film.webm', WEBM)
  await served.write('film.de.srt', '1\n00:00:00,000 --> 00:00:02,000\nGuten Tag\n')
  await served.write('photo.png', PNG)
  await served.write('sound.wav', WAV)
  await served.write('plan.md', '# Plan\n\n- [ ] [open](a.md)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n![far](https://example.org/a.png)\n')
  await served.write('sums.csv', 'name,sum\nAnn,1\n')
  await signIn(page, served, '/files/photo.png')
  await shownImage(page, 'photo.png')
  await expectAccessible(page, 'an image with its film strip')
  for (const name of ['film.webm', 'sound.wav']) {
    await page.goto(`${served.url}/files/${name}`)
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
    await expectAccessible(page, name)
  }
  await page.goto(`${served.url}/files/plan.md?edit=false`)
  await expect(page.getByRole('heading', { name: 'Plan', exact: true })).toBeVisible()
  await expectAccessible(page, 'Markdown')
  await page.goto(`${served.url}/files/sums.csv?edit=false`)
  await expect(page.getByRole('cell', { name: 'Ann' })).toBeVisible()
  const lines = page
    .getByRole('row', { name: /Ann/ })
    .getByRole('rowheader')
    .or(page.getByRole('cell', { name: 'Ann' }))
  const tops = await lines.evaluateAll((ones) => ones.map((one) => one.getBoundingClientRect().top))
  expect(tops, 'a value stands beside the number of its line').toEqual([tops[1], tops[0]])
  await expectAccessible(page, 'a table')
})

/** From the middle as far to the end and the bottom as the window goes. */
async function drag(page: Page): Promise<void> {
  await page.mouse.move(640, 400)
  await page.mouse.down()
  await page.mouse.move(900, 500)
  await page.mouse.move(1270, 710)
  await page.mouse.up()
}

async function fingers(page: Page, steps: { x: number; y: number }[][]): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  for (const [at, touchPoints] of steps.entries())
    await browser.send('Input.dispatchTouchEvent', {
      type: at === 0 ? 'touchStart' : 'touchMove',
      touchPoints: touchPoints.map((point, id) => ({ ...point, id })),
    })
  await browser.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

function drawing(width: number, height: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="teal"/></svg>`
}

async function shownImage(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('img', { name, exact: true })).toHaveAttribute('data-state', 'shown')
}

async function zoomOf(page: Page): Promise<{ scale: number; x: number; y: number }> {
  return page.locator('main img').evaluate((image) => {
    const { a, e, f } = new DOMMatrix(getComputedStyle(image).transform)
    return { scale: a, x: e, y: f }
  })
}

async function boxes(page: Page) {
  const image = await page.locator('main img').boundingBox()
  const stage = await page.locator('[data-part=preview] main > div').boundingBox()
  if (image === null || stage === null) throw new Error('nothing on the stage')
  return { image, stage }
}

async function expectShown(page: Page, name: string): Promise<void> {
  const image = page.getByRole('img', { name, exact: true })
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(1)
}

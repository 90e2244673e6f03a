import type { Page } from '@playwright/test'
import { answer, dialog, expectNames, row } from './listing.ts'
import { PDF, PNG, WAV, WEBM } from './samples.ts'
import { expect, signIn, test } from './served.ts'

test('arrows and Enter walk through the media and skip the rest; Escape leads back to where one was', async ({ page, served }) => {
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
  await page.keyboard.press('ArrowRight')
  await expectShown(page, 'photo 3.png')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'photo 4.wav' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next' })).toHaveCount(0)
  await page.keyboard.press('ArrowLeft')
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

test('sound plays, a PDF has its frame, and anything else says what it is', async ({ page, served }) => {
  await served.write('a.wav', WAV)
  await served.write('b.pdf', PDF)
  await served.write('c.xyz', new Uint8Array([0, 1, 2]))
  await signIn(page, served, '/files/a.wav')
  await expect.poll(() => page.locator('audio').evaluate((sound: HTMLAudioElement) => sound.duration)).toBeGreaterThan(0)
  const answered = page.waitForResponse(/\/api\/raw\/b\.pdf/)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByTitle('b.pdf').and(page.locator('iframe'))).toBeVisible()
  expect((await answered).headers()['content-type']).toContain('application/pdf')
  await page.goto(`${served.url}/files/c.xyz`)
  await expect(page.getByText('There is no preview for this file.')).toBeVisible()
  await expect(page.getByText('3 bytes').first()).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('main').getByRole('link', { name: 'Download' }).last().click()
  expect((await downloading).suggestedFilename()).toBe('c.xyz')
})

test('after a delete the next is shown, then the one before, and at last the folder', async ({ page, served }) => {
  for (const name of ['a.png', 'b.png', 'c.png']) await served.write(name, PNG)
  await signIn(page, served)
  await row(page, 'b.png').dblclick()
  for (const [name, next] of [
    ['b.png', 'c.png'],
    ['c.png', 'a.png'],
  ] as const) {
    await expectShown(page, name)
    await page.getByRole('button', { name: 'Delete' }).click()
    await answer(dialog(page, `Delete “${name}”?`), 'Delete')
    await expectShown(page, next)
  }
  await page.getByRole('button', { name: 'Delete' }).click()
  await answer(dialog(page, 'Delete “a.png”?'), 'Delete')
  await expect(page.getByText('This folder is empty')).toBeVisible()
})

test('a rename in the preview stays with the file', async ({ page, served }) => {
  await served.write('a.png', PNG)
  await signIn(page, served)
  await row(page, 'a.png').dblclick()
  await expectShown(page, 'a.png')
  await page.getByRole('button', { name: 'Rename' }).click()
  const prompt = dialog(page, 'Rename “a.png”')
  await prompt.getByRole('textbox').fill('z.png')
  await answer(prompt, 'Rename')
  await expectShown(page, 'z.png')
  await page.keyboard.press('Escape')
  await expectNames(page, ['z.png'])
})

test('an image zooms by wheel in quarters and by double click', async ({ page, served }) => {
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

async function expectShown(page: Page, name: string): Promise<void> {
  const image = page.getByRole('img', { name, exact: true })
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(1)
}

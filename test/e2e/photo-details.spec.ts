import { expectAccessible } from './axe.ts'
import { photo, SYDNEY } from '../contract/photo-samples.ts'
import { choose, details, dialog, row } from './listing.ts'
import { expect, signIn, test } from './served.ts'

test('the details of a photo say when, where and with what it was taken; those of others say nothing of it', async ({ page, served }) => {
  await served.write('harbour.jpg', await photo(SYDNEY, { orientation: 6 }))
  await served.write('IMG_20210304_050607.jpg', await photo({ IFD0: { Model: 'Box' } }))
  await served.write('note.txt', 'text')
  const asked: string[] = []
  page.on('request', (request) => void (request.url().includes('/api/photo-facts/') && asked.push(new URL(request.url()).pathname)))
  await page.setViewportSize({ width: 1280, height: 900 })
  await signIn(page, served)

  await choose(page, row(page, 'harbour.jpg'), 'Details')
  const pane = details(page)
  const fact = (label: string) => pane.locator('dl > div', { has: page.getByText(label, { exact: true }) }).locator('dd')
  await expect(fact('Taken')).toHaveText('19 Jul 2024, 12:03:00 (UTC+10)')
  await expect(fact('Camera')).toHaveText('Fujifilm X-T5')
  await expect(fact('Lens')).toHaveText('XF35mmF1.4 R')
  await expect(fact('Exposure')).toHaveText('1/250 s · f/2.8 · ISO 400 · 35 mm')
  await expect(fact('Caption')).toHaveText('The harbour in fog')
  await expect(fact('Dimensions')).toHaveText('40 × 60 pixels')
  await expect(fact('Place').getByRole('link', { name: '-33.85700, 151.21500' })).toHaveAttribute('href', 'geo:-33.857,151.215')
  await expectAccessible(page, 'the details of a photo')

  await row(page, 'IMG_20210304_050607.jpg').click()
  await expect(fact('Taken')).toHaveText('4 Mar 2021, 05:06:07 (from the file name)')
  await expect(fact('Place')).toHaveCount(0)
  await row(page, 'note.txt').click()
  await expect(fact('Type')).toBeVisible()
  await expect(fact('Taken')).toHaveCount(0)
  expect(asked).toEqual(['/api/photo-facts/harbour.jpg', '/api/photo-facts/IMG_20210304_050607.jpg'])
})

test('on a phone the details of a photo are a sheet with the same facts', async ({ page, served }) => {
  await served.write('harbour.jpg', await photo())
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, served)
  await choose(page, row(page, 'harbour.jpg'), 'Details')
  const sheet = dialog(page, 'Details')
  await expect(sheet.getByRole('link', { name: '-33.85700, 151.21500' })).toBeVisible()
  await expect(sheet.getByText('1/250 s · f/2.8 · ISO 400 · 35 mm')).toBeVisible()
  await expectAccessible(page, 'the details of a photo on a phone')
})

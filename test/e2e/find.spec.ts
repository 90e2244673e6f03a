import type { Locator } from '@playwright/test'
import { expectSelected, row } from './listing.ts'
import { expect, signIn, test } from './served.ts'

test('search filters by words, extension, size and time; the palette suggests files while typing, opens them and shows them in their folder', async ({
  page,
  served,
}) => {
  await served.write('work/plan.txt', 'short')
  await served.write('work/plan draft.md', 'short')
  await served.write('work/big plan.md', 'x'.repeat(2_000_000))
  await served.write('one.txt', '')
  await signIn(page, served)
  await expect(row(page, 'one.txt')).toBeVisible()

  await page.keyboard.press('ControlOrMeta+f')
  const search = page.getByRole('dialog', { name: 'Search' })
  const field = search.getByRole('textbox')
  // An example is there to be written over.
  await search.getByRole('button', { name: 'ext:docx,odt' }).click()
  await expect(field).toBeFocused()
  await page.keyboard.type('md')
  await expect(field).toHaveValue('ext:md')
  await page.keyboard.press('Enter')
  await expectHits(search, ['big plan.md', 'plan draft.md'])
  await field.fill('plan -draft modified:today')
  await page.keyboard.press('Enter')
  await expectHits(search, ['plan.txt', 'big plan.md'])
  await search.getByRole('combobox', { name: 'Size' }).selectOption('Over 1 MB')
  await expectHits(search, ['big plan.md'])
  await search.getByRole('combobox', { name: 'Size' }).selectOption('Over 1 GB')
  await search.getByRole('button', { name: 'Clear filters and search again' }).click()
  await expectHits(search, ['plan.txt', 'big plan.md'])
  await page.keyboard.press('Escape')
  await expect(search).toHaveCount(0)

  // The first question is answered late, when another has been put.
  let answerLate = (): void => undefined
  const late = new Promise<void>((resolve) => {
    answerLate = resolve
  })
  const gone = page.waitForEvent('requestfailed', (request) => request.url().includes('query=short'))
  await page.route('**/api/search/**query=short*', async (route) => {
    await late
    await route.continue().catch(() => undefined)
  })
  await page.keyboard.press('ControlOrMeta+K')
  const palette = page.getByRole('dialog', { name: 'Commands' })
  const asked = page.waitForRequest(/query=short/)
  await palette.getByRole('combobox').fill('short')
  await asked
  await palette.getByRole('combobox').fill('big plan')
  await gone
  answerLate()
  const found = palette.getByRole('group', { name: 'Files and folders' }).getByRole('option')
  await expect(found.first()).toContainText('big plan.md')
  await expect(palette.getByText('Show in folder')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page).toHaveURL(`${served.url}/files/work/`)
  await expectSelected(page, ['big plan.md'])
})

async function expectHits(search: Locator, names: string[]): Promise<void> {
  await expect(search.getByRole('listitem').locator('[data-name]')).toHaveText(names)
}

import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { expectSelected, row, pick } from './listing.ts'
import { expect, signIn, test } from './served.ts'

test('U10: results appear while typing, Enter moves to them and opens the first, Escape closes the search', async ({ page, served }) => {
  await served.write('plan.txt', 'the plan')
  await served.write('deep/er/my plan.md', '')
  await served.write('other.txt', '')
  await signIn(page, served)
  await expect(row(page, 'plan.txt')).toBeVisible()
  await open(page)
  await expect(field(page)).toBeFocused()
  await field(page).fill('p')
  await expect(page.getByText('Keep typing, or press Enter to search.')).toBeVisible()
  await field(page).pressSequentially('lan')
  await expectHits(page, ['plan.txt', 'my plan.md'])
  await expect(overlay(page).getByRole('status')).toHaveText('2 results')
  await expect(field(page)).toBeFocused()
  await expect(hit(page, 'my plan.md')).toContainText('deep/er')
  await expect(hit(page, 'my plan.md').locator('mark')).toHaveText('plan')
  // Enter before the answer is there does the same as Enter after it.
  await field(page).fill('plan m')
  await page.keyboard.press('Enter')
  await expect(link(page, 'my plan.md')).toBeFocused()
  await expectHits(page, ['my plan.md'])
  await page.keyboard.press('s')
  await expect(hits(page)).toHaveCount(0)
  await field(page).fill('')
  await expect(overlay(page).getByText('Results appear as you type', { exact: false })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(overlay(page)).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+Shift+F')
  await field(page).fill('plan.t')
  await expectHits(page, ['plan.txt'])
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${served.url}/files/plan.txt`)
})

test('U10: a pause in typing sends one request, and earlier requests are aborted', async ({ page, served }) => {
  await served.write('budget.txt', '')
  await signIn(page, served)
  const asked: string[] = []
  const failed: string[] = []
  let hold = true
  await page.route('**/api/search/**', async (route) => {
    const query = new URL(route.request().url()).searchParams.get('query') ?? ''
    asked.push(query)
    // The first one never gets an answer.
    if (hold) return
    return route.continue()
  })
  page.on('requestfailed', (request) => void failed.push(new URL(request.url()).searchParams.get('query') ?? ''))
  await open(page)
  await field(page).pressSequentially('budg', { delay: 5 })
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  const before = asked.length
  hold = false
  await field(page).pressSequentially('et', { delay: 5 })
  await expectHits(page, ['budget.txt'])
  await expect.poll(() => failed).toContain(asked[before - 1])
  expect(asked.at(-1)).toBe('budget')
})

test('U10: several words must all match, in names and in contents', async ({ page, served }) => {
  await served.write('summer report.txt', 'nothing')
  await served.write('report.txt', 'the winter')
  await served.write('notes.md', 'a report about the summer')
  await served.write('other.md', 'a report about the winter')
  await signIn(page, served)
  await open(page)
  await run(page, 'report summer')
  await expectHits(page, ['summer report.txt'])
  await overlay(page).getByRole('checkbox', { name: 'Search inside files' }).check()
  await expectHits(page, ['summer report.txt', 'notes.md'])
})

test('U10: selected results can be downloaded, moved and deleted together; a single one can be shared and shown in its folder', async ({
  page,
  served,
}) => {
  for (const name of ['a/one note.txt', 'a/two note.txt', 'b/three note.txt', 'b/four note.txt']) await served.write(name, 'x')
  await served.write('to/keep.txt', '')
  await signIn(page, served)
  await open(page)
  await run(page, 'note')
  await expect(hits(page)).toHaveCount(4)
  const bar = overlay(page).getByRole('toolbar')
  // By keyboard: Space ticks, Shift and a press reach from one to the other.
  await field(page).press('ArrowDown')
  await page.keyboard.press('Space')
  await expect(bar).toContainText('1 selected')
  await expect(bar.getByRole('button')).toHaveText(['', 'Download', 'Share', 'Show in folder', 'Move to…', 'Delete'])
  await tick(page, 'three note.txt').click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('4 selected')
  await tick(page, 'one note.txt').uncheck()
  await tick(page, 'two note.txt').uncheck()
  await expect(bar).toContainText('2 selected')
  await expect(bar.getByRole('button', { name: 'Share' })).toHaveCount(0)
  await expectAccessible(page, 'ticked results')

  await bar.getByRole('button', { name: 'Download' }).click()
  const packed = page.waitForEvent('download')
  await page.getByRole('dialog', { name: /2/ }).getByRole('button', { name: 'zip', exact: true }).click()
  expect((await packed).suggestedFilename()).toMatch(/\.zip$/)

  await bar.getByRole('button', { name: 'Move to…' }).click()
  const mover = page.getByRole('dialog', { name: /Move/ })
  await mover.getByRole('button', { name: 'Up one folder' }).click()
  await mover.getByText('to', { exact: true }).click()
  await mover.getByRole('button', { name: 'Move here' }).click()
  await expect(hit(page, 'three note.txt')).toContainText('to')
  await expect(hit(page, 'four note.txt')).toContainText('to')

  await tick(page, 'one note.txt').check()
  await tick(page, 'two note.txt').check()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: /Delete/ })
    .getByRole('button', { name: 'Move to trash' })
    .click()
  await expectHits(page, ['four note.txt', 'three note.txt'])
  await tick(page, 'four note.txt').check()
  await bar.getByRole('button', { name: 'Show in folder' }).click()
  await expect(page).toHaveURL(`${served.url}/files/to/`)
  await expectSelected(page, ['four note.txt'])
})

test('U10: favourites, recent files and settings offer the search, and Back returns to its results', async ({ page, served }) => {
  await served.write('docs/plan.txt', 'the plan')
  await signIn(page, served)
  for (const place of ['/favourites', '/recent', '/settings/profile']) {
    await page.goto(served.url + place)
    await open(page)
    await run(page, 'plan')
    await expectHits(page, ['plan.txt'])
    await link(page, 'plan.txt').click()
    await expect(page).toHaveURL(`${served.url}/files/docs/plan.txt`)
    await page.goBack()
    await expect(page).toHaveURL(served.url + place)
    await expectHits(page, ['plan.txt'])
    await page.keyboard.press('Escape')
  }
})

test('the search field opens the search, arrows go through the results, Enter opens one, and Back returns to the results and then to the folder', async ({
  page,
  served,
}) => {
  await served.write('docs/one note.txt', 'hello')
  await served.write('docs/two note.txt', '')
  await signIn(page, served, '/files/docs/')
  await page.getByRole('button', { name: /^Search/ }).click()
  await run(page, 'note')
  await page.keyboard.press('ArrowDown')
  await expect(link(page, 'one note.txt')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(link(page, 'two note.txt')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${served.url}/files/docs/one%20note.txt`)
  await expect(page.getByText('hello')).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(`${served.url}/files/docs/`)
  await expectHits(page, ['one note.txt', 'two note.txt'])
  await expect(link(page, 'one note.txt')).toBeFocused()
  await page.goBack()
  await expect(overlay(page)).toHaveCount(0)
  await expect(page).toHaveURL(`${served.url}/files/docs/`)
  await expect(row(page, 'one note.txt')).toBeVisible()
})

test('a result can be downloaded, shared, and shown selected in its folder, here or elsewhere', async ({ page, served }) => {
  for (let n = 0; n < 80; n++) await served.write(`many/file ${n}.txt`, '')
  await served.write('top 100 %.txt', '')
  await signIn(page, served)
  await search(page, 'file 79')
  const actions = page.getByRole('button', { name: 'Actions for file 79.txt' })
  await actions.click()
  await expect(page.getByRole('menuitem')).toHaveText([/Open/, /Download/, /Share/])
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('file 79.txt')
  await actions.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Share' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Share “file 79.txt”' })).toBeVisible()
  await page.keyboard.press('Escape')
  // The results are still there, for the next one.
  await expect(actions).toBeFocused()
  await page.getByRole('button', { name: 'Show file 79.txt in its folder' }).click()
  await expect(page).toHaveURL(`${served.url}/files/many/`)
  await expectSelected(page, ['file 79.txt'])
  await expect(row(page, 'file 79.txt')).toBeInViewport()
  await search(page, 'file 3.txt')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expectSelected(page, ['file 3.txt'])
  await open(page)
  await pick(page, 'Everywhere')
  await run(page, '100 %')
  await link(page, 'top 100 %.txt').click()
  await expect(page).toHaveURL(`${served.url}/files/top%20100%20%25.txt`)
})

test('chips filter by type, the scope limits the search to a folder, and an empty result offers to remove both', async ({
  page,
  served,
}) => {
  await served.write('in/a.png', '')
  await served.write('in/a.mp3', '')
  await served.write('b.PDF', '')
  await signIn(page, served, '/files/in/')
  await open(page)
  await page.getByRole('button', { name: 'Images' }).click()
  await expectHits(page, ['a.png'])
  await page.getByRole('button', { name: 'Music' }).click()
  await expectHits(page, ['a.mp3', 'a.png'])
  await page.getByRole('button', { name: 'Images' }).click()
  await expectHits(page, ['a.mp3'])
  await run(page, 'b')
  await expect(overlay(page).getByText('No matches')).toBeVisible()
  await page.getByRole('button', { name: 'Search all types' }).click()
  await page.getByRole('button', { name: 'Search everywhere' }).click()
  await expectHits(page, ['b.PDF'])
})

test('fifty results are shown, and fifty more near the end', async ({ page, served }) => {
  for (let n = 0; n < 120; n++) await served.write(`x/note ${n}.txt`, '')
  await signIn(page, served)
  await search(page, 'note')
  await expect(hits(page)).toHaveCount(50)
  await expect(overlay(page).getByRole('status')).toHaveText('120 results')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await expect(hits(page)).toHaveCount(100)
  await page.keyboard.press('End')
  await expect(hits(page)).toHaveCount(120)
})

test('the browser’s Back button closes the search and stays in the folder', async ({ page, served }) => {
  await served.write('docs/a.txt', '')
  await signIn(page, served)
  await row(page, 'docs').dblclick()
  await expect(row(page, 'a.txt')).toBeVisible()
  await open(page)
  await expect(field(page)).toBeFocused()
  await page.goBack()
  await expect(overlay(page)).toHaveCount(0)
  await expect(page).toHaveURL(`${served.url}/files/docs/`)
  await open(page)
  await page.keyboard.press('Escape')
  await expect(overlay(page)).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(`${served.url}/files/`)
  await expect(row(page, 'docs')).toBeVisible()
})

test('in the editor Ctrl+F opens its own search, and Ctrl+Shift+F the search for files', async ({ page, served }) => {
  await served.write('docs/a.txt', 'text')
  await served.write('docs/b.txt', '')
  await signIn(page, served, '/files/docs/a.txt')
  await expect(page.getByText('text', { exact: true })).toBeVisible()
  await page.locator('.cm-content').click()
  await page.keyboard.press('ControlOrMeta+f')
  await expect(page.locator('.cm-search')).toBeVisible()
  await expect(overlay(page)).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+Shift+F')
  await run(page, 'b.txt')
  await expectHits(page, ['b.txt'])
})

test('content search is optional, and its results open at the matching line, also from the palette', async ({ page, served }) => {
  await served.write('notes/minutes.md', `one\n\nWe agreed on the Budget <b>today</b>.\n${'more\n'.repeat(200)}no budget, then\n`)
  await served.write('budget.txt', 'nothing of that')
  await signIn(page, served)
  await open(page)
  await run(page, 'budget')
  await expectHits(page, ['budget.txt'])
  await contents(page).check()
  await expectHits(page, ['budget.txt', 'minutes.md'])
  const snippets = hit(page, 'minutes.md').locator('[data-part=snippet]')
  await expect(snippets).toHaveText(['Line 3We agreed on the Budget <b>today</b>.', 'Line 204no budget, then'])
  await expect(snippets.locator('mark')).toHaveText(['Budget', 'budget'])
  await expectAccessible(page, 'lines of files')
  await page.keyboard.press('Escape')
  await open(page)
  await expect(contents(page)).toBeChecked()
  await run(page, 'content:"agreed on" -content:nothing')
  await expectHits(page, ['minutes.md'])
  await page.keyboard.press('Escape')
  await expect(overlay(page)).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('agreed')
  await page.getByRole('option', { name: 'Search inside files for “agreed”' }).click()
  await expectHits(page, ['minutes.md'])
  await link(page, 'minutes.md').click()
  await expect(page).toHaveURL(`${served.url}/files/notes/minutes.md#L3C4-L3C10`)
  await expect(page.getByText('6 characters selected')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+F')
  await run(page, 'budget')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${served.url}/files/notes/minutes.md#L204C4-L204C10`)
  await expect(page.getByText('Line 204, column 10')).toBeVisible()
  await expect(page.locator('.cm-activeLine')).toHaveText('no budget, then')
  await expect(page.locator('.cm-activeLine')).toBeInViewport()
  await page.goBack()
  await expect(snippets.nth(1).locator('xpath=..')).toBeFocused()
})

test('a failed search shows an error and can be retried', async ({ page, served, complaints }) => {
  complaints.foresee(/500|Failed to load/)
  await served.write('a.txt', '')
  await signIn(page, served)
  let refused = false
  await page.route('**/api/search/**', (route) => {
    if (refused) return route.continue()
    refused = true
    return route.fulfill({ status: 500, json: { code: 'unexpected', detail: { incident: 'x' } } })
  })
  await open(page)
  await field(page).fill('a.')
  await expect(overlay(page).getByRole('alert')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectHits(page, ['a.txt'])
})

test('on a phone the search fills the screen, and its back arrow closes it', async ({ page, served }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await served.write('a very long name that does not fit into one line of a phone.txt', '')
  await signIn(page, served)
  await page.getByRole('button', { name: 'Search' }).click()
  await run(page, 'long')
  await expect(hits(page)).toHaveCount(1)
  expect(await page.locator('[data-part=overlay]').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.getByRole('button', { name: 'Close search' }).click()
  await expect(overlay(page)).toHaveCount(0)
})

test('the search has no axe violations', async ({ page, served }) => {
  await served.write('docs/a plan.txt', '')
  await signIn(page, served, '/files/docs/')
  await open(page)
  await expect(field(page)).toBeFocused()
  await expectAccessible(page, 'empty')
  await page.getByRole('button', { name: 'Images' }).click()
  await run(page, 'plan')
  await expect(overlay(page).getByText('No matches')).toBeVisible()
  await expectAccessible(page, 'nothing found')
  await page.getByRole('button', { name: 'Search all types' }).click()
  await expectHits(page, ['a plan.txt'])
  await expectAccessible(page, 'results')
})

function overlay(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Search' })
}

function field(page: Page): Locator {
  return overlay(page).getByRole('textbox', { name: 'Search by name' })
}

function contents(page: Page): Locator {
  return overlay(page).getByRole('checkbox', { name: 'Search inside files' })
}

function tick(page: Page, name: string): Locator {
  return hits(page).getByRole('checkbox', { name: `Select ${name}` })
}

function hits(page: Page): Locator {
  return overlay(page).getByRole('listitem')
}

function hit(page: Page, name: string): Locator {
  return hits(page).filter({ has: page.getByTitle(name, { exact: true }) })
}

function link(page: Page, name: string): Locator {
  return hit(page, name).getByRole('link').first()
}

async function expectHits(page: Page, names: string[]): Promise<void> {
  await expect(hits(page).locator('[data-name]')).toHaveText(names)
}

/** Nobody hears the keys before the screen is there. */
async function open(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Search/ }).waitFor()
  await page.keyboard.press('ControlOrMeta+f')
}

async function run(page: Page, text: string): Promise<void> {
  // The count that comes is that of these words.
  const answered = page.waitForResponse(/\/api\/search\//)
  await field(page).fill(text)
  await answered
  await expect(overlay(page).getByRole('status')).toHaveText(/results?$/i)
}

async function search(page: Page, text: string): Promise<void> {
  await open(page)
  await run(page, text)
}

test('U10: text typed while the search is loading is kept', async ({ page, served }) => {
  await served.write('invoice.txt', '')
  await signIn(page, served)
  await expect(row(page, 'invoice.txt')).toBeVisible()
  for (const [key, box] of [
    ['ControlOrMeta+f', page.getByRole('textbox', { name: /^Search by name/ })],
    ['ControlOrMeta+k', page.getByRole('combobox', { name: 'Type a name or a command' })],
  ] as const) {
    let release = (): void => undefined
    const gate = new Promise<void>((resolve) => (release = resolve))
    let held = 0
    await page.route(/\.js$/, async (route) => {
      held++
      await gate
      await route.continue()
    })
    await page.keyboard.press(key)
    await expect.poll(() => held).toBeGreaterThan(0)
    await page.keyboard.type('inx')
    await page.keyboard.press('Backspace')
    release()
    await expect(box).toHaveValue('in')
    await page.keyboard.type('v')
    await expect(box).toHaveValue('inv')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.unroute(/\.js$/)
  }
})

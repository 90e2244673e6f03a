import { coveredActions, crowd, problemsAt, selectAll } from './hits.ts'
import { expect, signIn, test } from './served.ts'

/** The languages whose words are longest, the one from the right, and English; `npm run test:hits` has all eighteen. */
for (const locale of ['en', 'de', 'ru', 'ar']) {
  test.describe(locale, () => {
    test.use({ locale })

    test(`U3: no action of the selection bar leaves the window; U4: nothing that floats covers one (${locale})`, async ({
      page,
      served,
      complaints,
    }) => {
      test.slow()
      complaints.foresee(/status of 500/)
      for (const name of ['docs/a.txt', 'a.txt', 'b.txt', 'c.zip']) await served.write(name, name)
      await signIn(page, served)
      await crowd(page, served)
      const problems = await problemsAt(page, 'everything selected')
      await page.keyboard.press('Escape')
      await page.locator('[data-item]').nth(1).click()
      problems.push(...(await problemsAt(page, 'one selected')))
      await page.goto(`${served.url}/settings/users/new`)
      await page.locator('form').first().waitFor()
      problems.push(...(await problemsAt(page, 'a new user')))
      expect(problems).toEqual([])
    })
  })
}

/** A fifth of a second on an ordinary screen. */
const FRAMES = 12

test('U3: the selection bar keeps its position and shifts no content', async ({ page, served }) => {
  for (const name of ['a.txt', 'b.txt']) await served.write(name, name)
  await signIn(page, served)
  const first = page.locator('[data-item]').first()
  const before = await first.boundingBox()
  const upload = await page.getByRole('button', { name: 'Upload', exact: true }).boundingBox()
  await selectAll(page)
  expect(await first.boundingBox()).toEqual(before)
  expect(await page.getByRole('button', { name: 'Upload', exact: true }).boundingBox()).toEqual(upload)
})

test('U4: a notice that appears under a resting pointer moves aside', async ({ page, served }) => {
  await signIn(page, served)
  await page.goto(`${served.url}/settings/global`)
  const name = page.getByLabel('Site name')
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await page.mouse.move(width - 60, height - 50)
  await name.fill('Mine')
  await name.press('Enter')
  await expect(page.locator('[data-part=notice]').first()).toBeVisible()
  // The next change brings back the Save button, where the notice stands.
  await name.fill('Yours')
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeEnabled()
  await expect.poll(async () => underNotices(await page.evaluate(coveredActions))).toEqual([])
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('U4: a notice moves aside when the upload panel appears', async ({ page, served, complaints }) => {
    complaints.foresee(/status of 500/)
    await served.write('a.txt', 'a')
    await signIn(page, served)
    // Notices are there, and stand still, before the tray.
    await crowd(page, served, async () => {
      await expect.poll(async () => underNotices(await page.evaluate(coveredActions))).toEqual([])
      await page.evaluate(watchingTray)
    })
    const covered = await page.evaluate(() => (globalThis as unknown as { seen: Promise<string[]> }).seen)
    expect(underNotices(covered)).toEqual([])
  })
})

function underNotices(covered: string[]): string[] {
  return covered.filter((action) => /under notices?$/.test(action))
}

/**
 * For the page, whose policy takes no code from a walk but as a whole: what is still covered so many frames after the tray has come, which may take
 * some of them to unfold.
 */
const watchingTray = `globalThis.seen = new Promise((resolve) => {
  const look = ${coveredActions.toString()}
  const wait = (frames) => {
    const isThere = document.querySelector('[data-part=tray] button') !== null
    const covered = isThere ? look() : []
    if (frames === 0 || (isThere && !covered.some((action) => /under notices?$/.test(action)))) resolve(covered)
    else requestAnimationFrame(() => wait(isThere ? frames - 1 : frames))
  }
  wait(${FRAMES})
}); undefined`

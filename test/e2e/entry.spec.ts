import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { expect, PASSWORD, signIn, test } from './served.ts'

/** One of the known services; nothing leaves for it here. */
const HOST = 'https://www.recaptcha.net'
/** A script like the real one, as far as the page may notice: it comes late to its functions and draws a box. */
const SCRIPT = `
  globalThis.answers = []
  setTimeout(() => {
    globalThis.grecaptcha = {
      render(place, { sitekey }) {
        const box = document.createElement('button')
        box.type = 'button'
        box.textContent = 'I am a person (' + sitekey + ')'
        box.onclick = () => globalThis.answers.push('passed ' + (globalThis.answers.length + 1))
        place.append(box)
        return 0
      },
      getResponse: () => globalThis.answers.at(-1) ?? '',
      reset: () => { globalThis.answers.push('') },
    }
  }, 150)
`

test.describe('with a captcha', () => {
  test.use({ settings: { recaptcha: { host: HOST, key: 'site-key', secret: 'secret' } } })

  test('the application loads the captcha script, requires the check, and resets it after a failed sign-in', async ({
    page,
    served,
    complaints,
  }) => {
    complaints.foresee(/status of 403/)
    await serveCaptcha(page)
    const sent: unknown[] = []
    await page.route('**/api/login', (route) => {
      sent.push(route.request().postDataJSON())
      return route.fulfill({ status: 403, json: { code: 'wrong-credentials', detail: {} } })
    })
    await page.goto(`${served.url}/login`)
    const slot = page.locator('[data-part=captcha]')
    await expect(slot.getByRole('button', { name: 'I am a person (site-key)' })).toBeVisible()
    expect((await slot.boundingBox())?.height).toBeGreaterThanOrEqual(78)
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password', { exact: true }).fill('not it')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByText('Wrong credentials')).toBeVisible()
    expect(sent).toEqual([])
    await slot.getByRole('button').click()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect.poll(() => sent).toMatchObject([{ password: 'not it', recaptcha: 'passed 2' }])
    await expect(page.getByText('Wrong credentials')).toBeVisible()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByText('Wrong credentials')).toBeVisible()
    expect(sent).toHaveLength(1)
  })

  test('a captcha script that fails to load shows an error, and can be retried or skipped', async ({ page, served, complaints }) => {
    complaints.foresee(/net::ERR/)
    await page.route(`${HOST}/**`, (route) => route.abort())
    await page.goto(`${served.url}/login`)
    await expect(page.getByRole('heading', { name: 'The sign-in check did not load' })).toBeVisible()
    await expect(page.getByText('www.recaptcha.net')).toBeVisible()
    await expectAccessible(page, 'captcha missing')
    await page.getByRole('button', { name: 'Continue without it' }).click()
    await expect(page.getByText('The check from www.recaptcha.net did not load.')).toBeVisible()
    await page.reload()
    await page.unroute(`${HOST}/**`)
    await serveCaptcha(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('button', { name: 'I am a person (site-key)' })).toBeVisible()
  })
})

test.describe('without a sign-in form', () => {
  test.use({ settings: { authMethod: 'noauth' } })

  test('the application opens at once and offers no sign-out', async ({ page, served }) => {
    await page.goto(served.url)
    await expect(page).toHaveURL(`${served.url}/files/`)
    await expect(page.getByText('This folder is empty')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sign out' })).toHaveCount(0)
    await page.getByRole('button', { name: /^Account/ }).click()
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toHaveCount(0)
    // A file that fails to load because the user leaves does not mean an upgrade; any other does, and reloads the page.
    const miss = () => page.evaluate(() => void dispatchEvent(new Event('vite:preloadError')))
    await page.evaluate(() => void dispatchEvent(new Event('beforeunload')))
    await miss()
    expect(await page.evaluate(() => sessionStorage.getItem('reloaded'))).toBeNull()
    await page.reload()
    const anew = page.waitForEvent('load')
    await miss()
    await anew
  })

  test('a refused sign-in shows the reason, and a retry succeeds once the server allows it', async ({ page, served, complaints }) => {
    complaints.foresee(/status of 403/)
    await page.route('**/api/login', (route) => route.fulfill({ status: 403, json: { code: 'wrong-credentials', detail: {} } }))
    await page.goto(`${served.url}/files/docs/`)
    await expect(page.getByRole('heading', { name: 'You could not be signed in' })).toBeVisible()
    await expectAccessible(page, 'entry failed')
    await page.unroute('**/api/login')
    await served.write('docs/a.txt', 'a')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page).toHaveURL(`${served.url}/files/docs/`)
    await expect(page.getByText('a.txt')).toBeVisible()
  })
})

test.describe('with a configured sign-out page', () => {
  test.use({ settings: { logoutPage: '/health' } })

  test('signing out leads to that page', async ({ page, served }) => {
    await signIn(page, served)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(`${served.url}/health`)
  })
})

async function serveCaptcha(page: Page): Promise<void> {
  await page.route(`${HOST}/**`, (route) => route.fulfill({ contentType: 'text/javascript', body: SCRIPT }))
}

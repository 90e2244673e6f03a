import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Route } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { dialog, row } from './listing.ts'
import { expect, PASSWORD, signInByForm, test } from './served.ts'

test('wrong credentials show an error and keep the user name', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 403.*\/api\/login/)
  await page.goto(served.url)
  // As password managers look for them.
  await expect(page.getByLabel('Username')).toHaveAttribute('autocomplete', 'username')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('autocomplete', 'current-password')
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill('not it')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const refusal = page.getByRole('main').getByRole('alert')
  await expect(refusal).toHaveText('Wrong credentials')
  // Not by its colour alone.
  await expect(refusal.locator('svg')).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveValue('admin')
  // Out of another window.
  await page.getByLabel('Username').fill(PASSWORD)
  for (const key of ['a', 'x']) await page.keyboard.press(`ControlOrMeta+${key}`)
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).focus()
  for (const key of ['a', 'v']) await page.keyboard.press(`ControlOrMeta+${key}`)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${served.url}/files/`)
})

test('messages on the sign-in page do not shift the layout: Caps Lock beside the label, errors above the button', async ({
  page,
  served,
  complaints,
}) => {
  complaints.foresee(/status of 403.*\/api\/login/)
  await page.goto(served.url)
  const password = page.getByLabel('Password', { exact: true })
  const places = async () => [await page.getByRole('heading', { level: 1 }).boundingBox(), await password.boundingBox()]
  await page.getByLabel('Username').fill('admin')
  await password.fill('not it')
  const before = await places()
  const button = page.getByRole('button', { name: 'Sign in' })
  const under = await button.boundingBox()
  await password.evaluate((field) => field.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, key: 'X', modifierCapsLock: true })))
  await expect(page.getByText('Caps Lock is on')).toBeVisible()
  expect([await places(), await button.boundingBox()]).toEqual([before, under])
  await expectAccessible(page, 'Caps Lock while signing in')
  await button.click()
  await expect(page.getByText('Wrong credentials')).toBeVisible()
  expect(await places()).toEqual(before)
  await expectAccessible(page, 'a refused sign-in')
})

test('signed-out users are sent to sign in and then to the path they requested', async ({ page, served }) => {
  await served.write('100% a+b?#é/note ü.txt', 'hello')
  const place = `/files/${encodeURIComponent('100% a+b?#é')}/${encodeURIComponent('note ü.txt')}`
  await page.goto(served.url + place)
  await expect(page).toHaveURL(`${served.url}/login?redirect=${encodeURIComponent(place)}`)
  await expect(page).toHaveTitle('Sign in')
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('textbox', { name: 'note ü.txt' })).toContainText('hello')
  await expect(page).toHaveURL(served.url + place)
  await expect(page).toHaveTitle('note ü.txt - Files')
})

test('signed-in users are redirected from the sign-in page to the files, and stay signed in after a reload', async ({ page, served }) => {
  await signInByForm(page, served)
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await expect(page).toHaveTitle('Files')
  await page.goto(`${served.url}/login`)
  await expect(page).toHaveURL(`${served.url}/files/`)
  await page.reload()
  await expect(page.getByText('This folder is empty')).toBeVisible()
})

test('a redirect to another site is not followed (A4-1)', async ({ page, served }) => {
  await signInByForm(page, served, `/login?redirect=${encodeURIComponent('//elsewhere.invalid/x')}`)
  await expect(page).toHaveURL(`${served.url}/files/`)
})

test('unknown paths redirect to the files, and Back does not loop', async ({ page, served }) => {
  await served.write('docs/a.txt', 'a')
  await signInByForm(page, served)
  await row(page, 'docs').dblclick()
  await expect(page).toHaveURL(`${served.url}/files/docs/`)
  await page.goto(`${served.url}/docs`)
  await expect(page).toHaveURL(/\/files\/docs\/?$/)
  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL(`${served.url}/files/`)
})

test('signing out ends the session on the server', async ({ page, served, playwright }) => {
  const read = page.waitForResponse(`${served.url}/api/places`)
  await signInByForm(page, served)
  await read
  // Requests that are pending at sign-out would be refused.
  await expect(page.getByText('This folder is empty')).toBeVisible()
  const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
  const cookies = await page.context().cookies()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(`${served.url}/login`)
  expect(await page.evaluate(() => localStorage.getItem('jwt'))).toBeNull()
  const thief = await playwright.request.newContext({
    extraHTTPHeaders: { 'x-auth': token, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
  })
  expect((await thief.get(`${served.url}/api/resources/`)).status()).toBe(401)
  await thief.dispose()
  await page.goto(`${served.url}/files/`)
  await expect(page).toHaveURL(/\/login/)
})

test('an invalid token logs a console warning and signs the user out', async ({ page, served }) => {
  const warned = page.waitForEvent('console', (message) => message.type() === 'warning' && /no longer valid/.test(message.text()))
  await page.goto(`${served.url}/login`)
  await page.evaluate(() => localStorage.setItem('jwt', 'only.two'))
  await page.reload()
  await warned
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})

test('the session is renewed in the background, and an expired one asks for the password in place', async ({
  page,
  served,
  complaints,
}) => {
  complaints.foresee(/status of 401|status of 403.*\/api\/login/)
  await served.write('docs/a.txt', 'a')
  await page.goto(`${served.url}/login`)
  await page.getByRole('checkbox', { name: 'Keep me signed in' }).uncheck()
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(row(page, 'docs')).toBeVisible()
  const token = () => page.evaluate(() => localStorage.getItem('jwt'))
  const before = await token()
  const wishForNew = async (route: Route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-renew-token': 'true' } })
  }
  await page.route('**/api/resources/**', wishForNew, { times: 1 })
  await row(page, 'docs').dblclick()
  await expect.poll(token).not.toBe(before)
  await expect(row(page, 'a.txt')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // By one call alone: whatever else the page asks for meanwhile would find it out first now and then.
  const ended = (call: RegExp) =>
    page.route(call, (route) => route.fulfill({ status: 401, json: { code: 'sign-in-needed', detail: {} } }), { times: 1 })
  await ended(/resources\/docs\/a\.txt\?action=rename/)
  await row(page, 'a.txt').click()
  await page.keyboard.press('F2')
  await dialog(page, /^Rename/)
    .getByRole('textbox')
    .fill('b.txt')
  await page.keyboard.press('Enter')
  const again = dialog(page, 'Your session has ended')
  await expect(again.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expectAccessible(page, 'the password asked for in place')
  await page.keyboard.type('not it')
  await page.keyboard.press('Enter')
  await expect(again.getByText('Wrong credentials')).toBeVisible()
  await again.getByLabel('Password', { exact: true }).fill(PASSWORD)
  const signedIn = page.waitForRequest('**/api/login')
  await page.keyboard.press('Enter')
  // As briefly as the one before: to the end of the browser.
  expect((await signedIn).postDataJSON()).toMatchObject({ username: 'admin', remember: false })
  await expect(again).toHaveCount(0)
  await expect.poll(() => existsSync(join(served.root, 'docs/b.txt'))).toBe(true)
  await expect(row(page, 'b.txt')).toBeFocused()

  await ended(/resources\/docs\/b\.txt/)
  await row(page, 'b.txt').dblclick()
  await again.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('Your session has ended. Sign in to continue.')).toBeVisible()
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('textbox', { name: 'b.txt' })).toContainText('a')
})

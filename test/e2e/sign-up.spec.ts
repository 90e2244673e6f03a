import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { expect, PASSWORD, test } from './served.ts'

test.describe('with sign-up enabled', () => {
  test.use({ settings: { signup: true, hideLoginButton: false } })

  test('the sign-in page switches to sign-up and back, and keeps the redirect', async ({ page, served }) => {
    await page.goto(`${served.url}/login?redirect=${encodeURIComponent('/files/docs/')}`)
    await expect(page.getByLabel('Confirm the password')).toHaveCount(0)
    await page.getByLabel('Username').fill('nora')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await expect(page).toHaveURL(`${served.url}/login?redirect=%2Ffiles%2Fdocs%2F&signup`)
    await expect(page.getByRole('heading', { name: 'Create an account on Satchel' })).toBeVisible()
    await expect(page.getByLabel('Username')).toHaveValue('nora')
    await expect(page.getByLabel('Confirm the password')).toBeVisible()
    await page.getByRole('link', { name: 'Sign in instead' }).click()
    await expect(page.getByLabel('Confirm the password')).toHaveCount(0)
    await expect(page).toHaveURL(`${served.url}/login?redirect=%2Ffiles%2Fdocs%2F`)
  })

  test('the sidebar links to sign-up', async ({ page, served }) => {
    await page.goto(`${served.url}/404`)
    await page.getByRole('link', { name: 'Sign up' }).click()
    await expect(page.getByRole('button', { name: 'Sign up' })).toBeVisible()
  })

  test('shows while typing whether the passwords match, and does not submit until they do', async ({ page, served }) => {
    let calls = 0
    await page.route('**/api/signup', (route) => {
      calls += 1
      return route.abort()
    })
    await page.goto(`${served.url}/login?signup`)
    await page.getByLabel('Username').fill('nora')
    await page.getByLabel('Password', { exact: true }).fill('a long enough secret')
    // What could yet become the same is not called different.
    await page.getByLabel('Confirm the password').fill('a long')
    await expect(page.getByText('Passwords don’t match')).toHaveCount(0)
    await page.getByLabel('Confirm the password').fill('a loud')
    await expect(page.getByText('Passwords don’t match')).toBeVisible()
    await page.getByRole('button', { name: 'Sign up' }).click()
    await expect(page.getByLabel('Confirm the password')).toBeFocused()
    expect(calls).toBe(0)
    await page.getByLabel('Confirm the password').fill('a long enough secret')
    await expect(page.getByText('Passwords match')).toBeVisible()
    await page.getByLabel('Username').fill(' ')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await expect(page.getByText('Enter a username.')).toBeVisible()
    expect(calls).toBe(0)
  })

  for (const { status, body, says } of [
    { status: 409, body: { code: 'name-taken', detail: { username: 'nora' } }, says: 'Username already taken' },
    {
      status: 400,
      body: { code: 'invalid-input', detail: { issues: ['password: too-short 12'] } },
      says: 'Use at least 12 characters',
    },
    {
      status: 400,
      body: { code: 'invalid-input', detail: { issues: ['password: too-common'] } },
      says: 'This password is too common. Choose another one.',
    },
    { status: 405, body: { code: 'method-not-allowed', detail: { allow: [] } }, says: 'Sign-up is closed.' },
    { status: 500, body: { code: 'unexpected', detail: { incident: 'x' } }, says: 'Wrong credentials' },
  ]) {
    test(`a ${status} response to sign-up shows “${says}”`, async ({ page, served, complaints }) => {
      complaints.foresee(new RegExp(`status of ${status}`))
      await page.route('**/api/signup', (route) => route.fulfill({ status, json: body }))
      await page.goto(`${served.url}/login?signup`)
      await fillSignup(page, 'nora')
      await page.getByRole('button', { name: 'Sign up' }).click()
      await expect(page.getByText(says)).toBeVisible()
      await page.getByLabel('Username').fill('other')
      await expect(page.getByText(says)).toHaveCount(0)
    })
  }

  test('signing up signs the user in, and keeps the session after closing the browser only on request', async ({ page, served }) => {
    // The account is there already; what the call makes of it is the server's own test.
    let sent: unknown = null
    await page.route('**/api/signup', (route) => {
      sent = route.request().postDataJSON()
      return route.fulfill({ status: 200, body: '200 OK\n' })
    })
    await page.goto(`${served.url}/login?signup`)
    await fillSignup(page, 'clerk')
    await page.getByRole('checkbox', { name: 'Keep me signed in' }).uncheck()
    const login = page.waitForRequest('**/api/login')
    await page.getByRole('button', { name: 'Sign up' }).click()
    expect((await login).postDataJSON()).toMatchObject({ username: 'clerk', remember: false })
    await expect(page).toHaveURL(`${served.url}/files/`)
    expect(sent).toEqual({ username: 'clerk', password: PASSWORD })
  })

  test('an account exists and can be used even if its first sign-in failed', async ({ page, served, complaints }) => {
    complaints.foresee(/status of 403/)
    await page.route('**/api/signup', (route) => route.fulfill({ status: 200, body: '200 OK\n' }))
    await page.route('**/api/login', (route) => route.fulfill({ status: 403, json: { code: 'wrong-credentials', detail: {} } }), {
      times: 1,
    })
    await page.goto(`${served.url}/login?signup`)
    await fillSignup(page, 'clerk')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await expect(page.getByText('Your account is ready.')).toBeVisible()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page).toHaveURL(`${served.url}/files/`)
  })

  test('the sign-up page has no axe violations and does not overflow on a phone', async ({ page, served }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    for (const theme of ['light', 'dark']) {
      await page.goto(`${served.url}/login?signup`)
      await page.evaluate((wanted) => localStorage.setItem('theme', wanted), theme)
      await page.reload()
      await page.getByLabel('Confirm the password').fill('x')
      await expectAccessible(page, `signup, ${theme}`)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    }
  })
})

test('sign-up is not offered when it is disabled', async ({ page, served }) => {
  await page.goto(`${served.url}/login?signup`)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create an account' })).toHaveCount(0)
  await expect(page.getByLabel('Confirm the password')).toHaveCount(0)
})

async function fillSignup(page: Page, username: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm the password').fill(PASSWORD)
}

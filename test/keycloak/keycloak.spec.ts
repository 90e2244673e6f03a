import type { Page } from '@playwright/test'
import { expect, type Served, signInByForm, test } from '../e2e/served.ts'
import { CLIENT, createRealm, PASSWORD, type Realm } from './keycloak.ts'

const FIELDS = {
  id: 'keycloak',
  name: 'Keycloak',
  clientId: CLIENT.id,
  clientSecret: CLIENT.secret,
  create: true,
  admin: { claim: 'groups', values: ['it'] },
  allow: { claim: 'groups', values: ['staff', 'it'] },
}

/** A realm for this server, which an administrator has set up as a provider. */
async function withRealm(served: Served, fields: Record<string, unknown> = {}): Promise<Realm> {
  const realm = await createRealm(served.url)
  const session = served.takeSession()
  const answer = await fetch(`${served.url}/api/providers`, {
    method: 'POST',
    headers: { 'x-auth': session?.token ?? '', cookie: `${session?.cookie.name}=${session?.cookie.value}` },
    body: JSON.stringify({ ...FIELDS, issuer: realm.issuer, ...fields }),
  })
  expect(answer.status).toBe(200)
  return realm
}

/** The form of Keycloak. */
async function fillForm(page: Page, username: string): Promise<void> {
  await page.locator('#username').fill(username)
  await page.locator('input#password').fill(PASSWORD)
  await page.locator('#kc-login').click()
}

const button = (page: Page) => page.getByRole('link', { name: /Sign in with .?Keycloak/ })

async function enter(page: Page, served: Served, username: string): Promise<void> {
  await page.goto(`${served.url}/files/`)
  await button(page).click()
  await fillForm(page, username)
  await page.waitForURL(`${served.url}/files/`)
}

test('Keycloak: signs in, is an administrator by a group, and signs out on both sides', async ({ page, served }) => {
  const realm = await withRealm(served)
  await realm.add('ada', ['it'])
  await enter(page, served, 'ada')
  await page.goto(`${served.url}/settings/users`)
  await expect(page.getByRole('link', { name: 'ada' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Sign out' }).click()
  // Without the ID token, Keycloak asks first.
  const asks = page.locator('#kc-logout')
  await expect(asks.or(page.locator('input[autocomplete=username]'))).toBeVisible()
  if (await asks.isVisible()) await asks.click()
  await page.waitForURL(`${served.url}/login**`)
  await button(page).click()
  await expect(page.locator('#username')).toBeVisible()
})

test('Keycloak: refuses somebody in no group that may sign in, and somebody it has disabled', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 40/)
  const realm = await withRealm(served)
  await realm.add('guest')
  await page.goto(`${served.url}/files/`)
  await button(page).click()
  await fillForm(page, 'guest')
  await page.waitForURL(`${served.url}/login**`)
  await expect(page.getByText('You don’t have access to this server.')).toBeVisible()
  await realm.add('bob', ['staff'])
  await realm.setEnabled('bob', false)
  await page.context().clearCookies()
  await page.goto(`${served.url}/files/`)
  await button(page).click()
  await fillForm(page, 'bob')
  await expect(page.getByText('Account is disabled')).toBeVisible()
})

test('Keycloak: its administrator ends the session here by the back channel', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 401/)
  const realm = await withRealm(served)
  await realm.add('ada', ['staff'])
  await enter(page, served, 'ada')
  await realm.endSessions('ada')
  await expect(async () => {
    await page.goto(`${served.url}/files/`)
    await expect(page).toHaveURL(/\/login/, { timeout: 4000 })
  }).toPass({ timeout: 60_000 })
})

test('Keycloak: a group that somebody left is gone at the next sign-in', async ({ page, served, elsewhere }) => {
  const realm = await withRealm(served)
  await realm.add('ada', ['staff', 'it'])
  await enter(page, served, 'ada')
  await page.goto(`${served.url}/settings/users`)
  await expect(page.getByRole('link', { name: 'ada' })).toBeVisible()
  await realm.leaveGroup('ada', 'it')
  const other = await elsewhere()
  await enter(other, served, 'ada')
  await other.goto(`${served.url}/settings/profile`)
  await expect(other.getByRole('heading', { name: 'Connected sign-ins' })).toBeVisible()
  await expect(other.getByRole('link', { name: 'Users' })).toHaveCount(0)
})

test('Keycloak: a trial explains each step, and an account is connected in the profile', async ({ page, served, elsewhere }) => {
  const realm = await withRealm(served, { create: false, allow: { claim: '', values: [] } })
  await realm.add('somebody')
  const own = await elsewhere()
  await signInByForm(own, served)
  await own.goto(`${served.url}/settings/profile`)
  await own.getByRole('button', { name: 'Connect: Keycloak' }).click()
  await fillForm(own, 'somebody')
  await expect(own.getByText('Connected. You can now sign in this way.')).toBeVisible()
  await enter(page, served, 'somebody')
  await own.goto(`${served.url}/settings/sign-in`)
  await own.locator('summary').filter({ hasText: 'Keycloak' }).first().click()
  const editor = own.getByRole('group', { name: 'Keycloak' })
  await editor.getByRole('button', { name: 'Try it' }).click()
  await expect(editor.locator('[data-step=keys][data-tone=good]')).toBeVisible()
  // Keycloak knows this browser, and asks nothing.
  await editor.getByRole('link', { name: 'Continue at the provider' }).click()
  await expect(own.getByText('Signing in would work.')).toBeVisible()
  await expect(own.locator('[data-step=account]')).toContainText('admin')
})

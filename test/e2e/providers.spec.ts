import type { Page } from '@playwright/test'
import { totpCode } from '../../src/server/factors/totp.ts'
import { CLIENT, type RealProvider, startRealProvider } from '../oidc/real-provider.ts'
import { age } from './age.ts'
import { expectAccessible } from './axe.ts'
import { expect, type Served, signIn, signInByForm, test } from './served.ts'
import { wordsOf } from './words.ts'

/** A provider beside the server, which an administrator has set up. */
async function withProvider(served: Served, fields: Record<string, unknown> = {}): Promise<RealProvider> {
  const provider = await startRealProvider(served.url)
  const session = served.takeSession()
  const body = {
    id: 'idp',
    name: 'Example',
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    create: true,
    ...fields,
  }
  const answer = await fetch(`${served.url}/api/providers`, {
    method: 'POST',
    headers: { 'x-auth': session?.token ?? '', cookie: `${session?.cookie.name}=${session?.cookie.value}` },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
  return provider
}

// The pages of the provider ask for a font from elsewhere.
test.beforeEach(({ complaints }) => complaints.foresee(/fonts\.googleapis\.com/))

/** The form of the provider. */
async function giveName(page: Page, login: string): Promise<void> {
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
}

test('somebody signs in by the button, gets an account, comes back to the page they wanted, and signs out on both sides', async ({
  page,
  served,
  complaints,
}) => {
  // Their only way in is not taken away.
  complaints.foresee(/status of 403 .*\/api\/oidc\/connections\//)
  await using provider = await withProvider(served)
  provider.people.set('subject-1', { preferred_username: 'ada' })
  await page.goto(`${served.url}/settings/profile`)
  const button = page.getByRole('link', { name: /Sign in with .?Example/ })
  await button.focus()
  await page.keyboard.press('Enter')
  await giveName(page, 'subject-1')
  await page.waitForURL(`${served.url}/settings/profile`)
  await expect(page.getByRole('heading', { name: 'Connected sign-ins' })).toBeVisible()
  // Their only way in stays.
  await page.getByRole('button', { name: 'Disconnect: Example' }).click()
  await expect(page.getByText('This is your only way to sign in')).toBeVisible()
  await page.goto(`${served.url}/files/`)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Sign out' }).click()
  // The provider asks whether its session ends too.
  await page.waitForURL(/\/session\/end/)
  await page.getByRole('button', { name: /yes/i }).click()
  await page.waitForURL(`${served.url}/login**`)
  await button.click()
  await expect(page.locator('input[name=login]')).toBeVisible()
  await giveName(page, 'subject-1')
  await page.waitForURL(/\/files\//)
  await page.goto(`${served.url}/settings/profile`)
  await expect(page.getByText('Connected sign-ins')).toBeVisible()
})

test('the provider ends the session here', async ({ page, served, complaints }) => {
  complaints.foresee(/401/)
  await using provider = await withProvider(served)
  await page.goto(`${served.url}/files/`)
  await page.getByRole('link', { name: /Sign in with .?Example/ }).click()
  await giveName(page, 'bob')
  await page.waitForURL(/\/files\//)
  const other = await page.context().newPage()
  await other.goto(`${provider.issuer}/session/end`)
  await other.getByRole('button', { name: /yes/i }).click()
  await expect(async () => {
    await page.goto(`${served.url}/files/`)
    await expect(page).toHaveURL(/\/login/, { timeout: 4000 })
  }).toPass({ timeout: 60_000 })
})

test('an account is connected in the profile and from then on signs in by the button, not before', async ({ page, served, elsewhere }) => {
  await using provider = await withProvider(served, { create: false })
  provider.people.set('subject-of-admin', { preferred_username: 'admin', email: 'admin@example.org', email_verified: true })
  await page.goto(`${served.url}/login`)
  await page.getByRole('link', { name: /Sign in with .?Example/ }).click()
  await giveName(page, 'subject-of-admin')
  await expect(page.getByText('No account here is connected')).toBeVisible()
  await expectAccessible(page, 'the sign-in page with a problem')
  const own = await elsewhere()
  await signInByForm(own, served)
  await own.goto(`${served.url}/settings/profile`)
  await own.getByRole('button', { name: 'Connect: Example' }).click()
  await giveName(own, 'subject-of-admin')
  await expect(own.getByText('Connected. You can now sign in this way.')).toBeVisible()
  await own.reload()
  await expect(own.getByRole('button', { name: 'Disconnect: Example' })).toBeVisible()
  await page.goto(`${served.url}/files/`)
  await page.getByRole('link', { name: /Sign in with .?Example/ }).click()
  await page.waitForURL(`${served.url}/files/`)
})

test('an administrator adds, tries, orders and deletes a provider, and refuses passwords only when signed in through one', async ({
  page,
  served,
  complaints,
}) => {
  complaints.foresee(/400/)
  await using provider = await startRealProvider(served.url)
  provider.people.set('boss', { preferred_username: 'boss', groups: ['admins'] })
  await signInByForm(page, served)
  await page.goto(`${served.url}/settings/sign-in`)
  await page.getByText('Add a provider').click()
  const added = page.getByRole('group', { name: 'Add a provider' })
  await added.getByRole('textbox', { name: 'Name on the button' }).fill('IdP')
  await expect(added.getByText(`${served.url}/api/oidc/idp/callback`)).toBeVisible()
  await added.getByRole('textbox', { name: 'Issuer' }).fill('http://idp.invalid/')
  await added.getByRole('textbox', { name: 'Client ID' }).fill(CLIENT.id)
  await added.getByLabel('Client secret').fill(CLIENT.secret)
  await added.getByRole('textbox', { name: 'Values' }).last().fill('admins')
  await added.getByRole('switch', { name: 'Create accounts for new people' }).check()
  await added.getByRole('button', { name: 'Create' }).click()
  await expect(added.getByText('it must start with https://')).toBeVisible()
  await added.getByRole('textbox', { name: 'Issuer' }).fill(provider.issuer)
  await added.getByRole('textbox', { name: 'Issuer' }).press('Enter')
  await page.locator('[data-part=disclosure-note], summary').filter({ hasText: 'IdP' }).first().click()
  const editor = page.getByRole('group', { name: 'IdP' })
  await expect(editor.getByText('Stored. Leave empty to keep it.')).toBeVisible()
  await expectAccessible(page, 'a provider')
  await editor.getByRole('button', { name: 'Try it' }).click()
  await expect(editor.locator('[data-step=keys][data-tone=good]')).toBeVisible()
  await editor.getByRole('link', { name: 'Continue at the provider' }).click()
  await giveName(page, 'boss')
  await expect(page.getByText('Signing in would work.')).toBeVisible()
  await expect(page.locator('[data-step=account]')).toContainText('a new account boss would be created, as an administrator')
  await expectAccessible(page, 'the result of a trial')
  await expect(page.getByRole('switch', { name: 'Only through a provider' })).toBeDisabled()

  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: /Sign in with .?IdP/ }).click()
  await page.waitForURL(/\/files\//)
  await page.goto(`${served.url}/settings/sign-in`)
  // It turns when the server has answered, for which `check` does not wait.
  await page.getByRole('switch', { name: 'Only through a provider' }).click()
  await expect(page.getByRole('switch', { name: 'Only through a provider' })).toBeChecked()
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${served.url}/login`)
  await expect(page.getByRole('link', { name: /Sign in with .?IdP/ })).toBeVisible()
  await expect(page.locator('input[autocomplete=current-password]')).toHaveCount(0)
  await expectAccessible(page, 'the sign-in page without passwords')
})

test('the second factor here is asked for after the provider, until an administrator trusts that of the provider', async ({
  page,
  served,
  elsewhere,
  complaints,
}) => {
  complaints.foresee(/status of 403/)
  await using _ = await withProvider(served)
  await page.goto(`${served.url}/settings/profile`)
  await page.getByRole('link', { name: /Sign in with .?Example/ }).click()
  await giveName(page, 'ada')
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const setup = page.getByRole('dialog')
  const secret = (await setup.locator('code').innerText()).replaceAll(' ', '')
  await setup.getByLabel('Code from the authenticator app').fill(totpCode(secret, Date.now()))
  await page.keyboard.press('Enter')
  await expect(setup.getByRole('list', { name: 'Recovery codes' })).toBeVisible()

  const other = await elsewhere({ viewport: { width: 390, height: 844 } })
  await other.goto(`${served.url}/files/`)
  await other.getByRole('link', { name: /Sign in with .?Example/ }).click()
  await giveName(other, 'ada')
  const code = other.getByLabel('Code from the authenticator app')
  await expect(code).toBeFocused()
  await expectFits(other)
  await expectAccessible(other, 'the second step after a provider')
  await code.fill(totpCode(secret, Date.now() + 30_000))
  await other.keyboard.press('Enter')
  await other.waitForURL(`${served.url}/files/`)

  const admin = await elsewhere()
  await signIn(admin, served, '/files/')
  await admin.goto(`${served.url}/settings/sign-in`)
  await admin.locator('summary').filter({ hasText: 'Example' }).click()
  await admin.getByRole('switch', { name: 'Trust the provider’s second factor' }).check()
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(admin.getByText('Provider saved')).toBeVisible()
  const third = await elsewhere()
  await third.goto(`${served.url}/files/`)
  await third.getByRole('link', { name: /Sign in with .?Example/ }).click()
  await giveName(third, 'ada')
  await third.waitForURL(`${served.url}/files/`)
})

test('somebody without a password here confirms who they are at the provider, in another tab, and the work goes on', async ({
  page,
  served,
  complaints,
}) => {
  complaints.foresee(/status of 403/)
  await using _ = await withProvider(served)
  await page.goto(`${served.url}/settings/profile`)
  await page.getByRole('link', { name: /Sign in with .?Example/ }).click()
  await giveName(page, 'ada')
  await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible()
  // The server starts anew meanwhile, which a page that is open would complain about.
  await page.goto('about:blank')
  await age(served)
  await page.goto(`${served.url}/settings/profile`)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await expect(proof).toBeVisible()
  await expect(proof.locator('input[type=password]')).toHaveCount(0)
  await expectAccessible(page, 'confirming without a password')
  const opened = page.context().waitForEvent('page')
  await proof.getByRole('link', { name: /Sign in with .?Example/ }).click()
  const tab = await opened
  // Although the provider knows them.
  await giveName(tab, 'ada')
  await tab.waitForURL(`${served.url}/settings/profile`)
  await expect(proof).toHaveCount(0)
  await expect(page.getByRole('dialog').locator('code')).toBeVisible()
})

test('groups follow a claim, as an administrator sets it', async ({ page, served, elsewhere }) => {
  await using provider = await withProvider(served)
  provider.people.set('ada', { preferred_username: 'ada', groups: ['staff'] })
  const admin = await elsewhere()
  await signIn(admin, served, '/files/')
  await admin.goto(`${served.url}/settings/groups`)
  const made = admin.getByRole('form', { name: 'New group' })
  await made.getByLabel('Name').fill('Colleagues')
  await admin.keyboard.press('Enter')
  // The page of the new group opens.
  await expect(admin.getByRole('heading', { name: 'Colleagues' })).toBeVisible()
  await admin.goto(`${served.url}/settings/sign-in`)
  await admin.locator('summary').filter({ hasText: 'Example' }).click()
  await admin
    .getByRole('group', { name: 'Example' })
    .getByLabel(/Values for .?Colleagues/)
    .fill('staff, sales')
  await admin.keyboard.press('Enter')
  await expect(admin.getByText('Provider saved')).toBeVisible()
  await page.goto(`${served.url}/files/`)
  await page.getByRole('link', { name: /Sign in with .?Example/ }).click()
  await giveName(page, 'ada')
  await page.waitForURL(`${served.url}/files/`)
  await admin.goto(`${served.url}/settings/groups`)
  await admin.getByRole('link', { name: 'Colleagues' }).click()
  await expect(admin.getByText('ada', { exact: true })).toBeVisible()
})

test.describe('on a phone, in Arabic', () => {
  const say = wordsOf('ar')
  test.use({ locale: 'ar', viewport: { width: 390, height: 844 } })

  test('the buttons, a problem and the settings fit', async ({ page, served, elsewhere }) => {
    await using _ = await withProvider(served, { name: 'خدمة الدخول' })
    await page.goto(`${served.url}/login`)
    await page.getByRole('link', { name: 'خدمة الدخول' }).click()
    await page.getByRole('link', { name: /cancel/i }).click()
    await expect(page.getByText(say('signin.problem.refused'))).toBeVisible()
    await expectFits(page)
    await expectAccessible(page, 'a cancelled sign-in in Arabic')
    const admin = await elsewhere({ locale: 'ar', viewport: { width: 390, height: 844 } })
    await signIn(admin, served, '/files/')
    await admin.goto(`${served.url}/settings/sign-in`)
    await admin.locator('summary').filter({ hasText: 'خدمة الدخول' }).click()
    await expect(admin.getByText(say('signin.redirect'))).toBeVisible()
    await expectFits(admin)
    await expectAccessible(admin, 'a provider in Arabic')
  })
})

/** Nothing is wider than the window. */
async function expectFits(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
}

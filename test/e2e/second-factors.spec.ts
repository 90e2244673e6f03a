import type { CDPSession, Locator, Page } from '@playwright/test'
import { totpCode } from '../../src/server/factors/totp.ts'
import { expectAccessible } from './axe.ts'
import { expectNotice } from './notices.ts'
import { expect, PASSWORD, type Served, signIn, test } from './served.ts'

const LATER_MS = 30_000

test('an authenticator app is set up, asked for when signing in, and a recovery code does instead', async ({
  page,
  served,
  elsewhere,
  complaints,
}) => {
  complaints.foresee(/status of 403/)
  await visit(page, served, '/settings/profile')
  const { secret, codes } = await setUpTotp(page)
  // Without the notice.
  await page.reload()
  await expect(page.locator('[data-part=factors]')).toContainText('Left: 10')
  await expectAccessible(page, 'second factors in the profile')

  const other = await elsewhere({ viewport: { width: 390, height: 844 } })
  await enterPassword(other, served)
  const code = other.getByLabel('Code from the authenticator app')
  await expect(code).toBeFocused()
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(code).toHaveAttribute('inputmode', 'numeric')
  await expectAccessible(other, 'the second step of a sign-in')
  expect(await other.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await other.keyboard.press('Enter')
  await expect(other.getByText('Enter the code.')).toBeVisible()
  await other.keyboard.type('000000')
  await other.keyboard.press('Enter')
  await expect(other.getByText('That was not accepted')).toBeVisible()
  // The clock of a phone may be half a minute early.
  await code.fill(totpCode(secret, Date.now() + LATER_MS))
  await other.keyboard.press('Enter')
  await expect(other).toHaveURL(`${served.url}/files/`)

  const third = await elsewhere()
  await enterPassword(third, served)
  await third.getByRole('button', { name: 'Use a recovery code' }).click()
  await expect(third.getByLabel('Recovery code')).toBeFocused()
  await third.keyboard.type((codes[0] ?? '').toUpperCase())
  await third.keyboard.press('Enter')
  await expect(third).toHaveURL(`${served.url}/files/`)

  await page.reload()
  await expect(page.locator('[data-part=factors]')).toContainText('Left: 9')
  await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
  await dialog(page).getByRole('button', { name: 'Remove' }).click()
  await expect(page.locator('[data-part=factors]')).toContainText('Not set up')
  const fourth = await elsewhere()
  await enterPassword(fourth, served)
  await expect(fourth).toHaveURL(`${served.url}/files/`)
})

test('a passkey is added with a name, signs in alone and as second factor, and is removed', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 403/)
  const url = served.url.replace('127.0.0.1', 'localhost')
  const here = { ...served, url, takeSession: () => null }
  await visit(page, here, '/settings/profile')
  const keys = await virtualAuthenticator(page)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await expectAccessible(page, 'naming a passkey')
  await page.getByLabel('Name of the passkey').fill('Blue key')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
  await dialog(page).getByRole('button', { name: 'I have kept them' }).click()
  const factors = page.locator('[data-part=factors]')
  await expect(factors).toContainText('Blue key')
  await factors.getByRole('button', { name: 'Rename Blue key' }).click()
  await page.getByLabel('Name of the passkey').fill('Green key')
  await page.keyboard.press('Enter')
  await expect(factors).toContainText('Green key')

  // Nobody touches it until the button is pressed.
  await keys.touch(false)
  await signOut(page)
  await expect(page.getByLabel('Username')).toHaveAttribute('autocomplete', 'username webauthn')
  await expectAccessible(page, 'signing in where there are passkeys')
  await keys.touch(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL(/\/files\/$/)

  await keys.touch(false)
  await signOut(page)
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('Confirm with your passkey.')).toBeVisible()
  await keys.touch(true)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/files\/$/)

  await page.goto(`${url}/settings/profile`)
  await factors.getByRole('button', { name: 'Remove Green key' }).click()
  await dialog(page).getByRole('button', { name: 'Remove' }).click()
  await expect(factors).not.toContainText('Green key')
  await keys.touch(false)
  await signOut(page)
  await keys.touch(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText('The passkey was not accepted.')).toBeVisible()
})

test('a trusted device is not asked again, until it is forgotten', async ({ page, served, elsewhere, complaints }) => {
  complaints.foresee(/status of 403/)
  await visit(page, served, '/settings/profile')
  const { codes } = await setUpTotp(page)
  const other = await elsewhere()
  await enterPassword(other, served)
  await other.getByRole('button', { name: 'Use a recovery code' }).click()
  await other.keyboard.type(codes[0] ?? '')
  await other.getByRole('checkbox', { name: /Don’t ask again on this device/ }).check()
  await other.keyboard.press('Enter')
  await expect(other).toHaveURL(`${served.url}/files/`)
  await signOut(other)
  await enterPassword(other, served)
  await expect(other).toHaveURL(`${served.url}/files/`)

  // What matters is asked for all the same.
  await other.goto(`${served.url}/settings/profile`)
  await other.getByRole('button', { name: 'New codes' }).click()
  await dialog(other).getByRole('button', { name: 'New codes' }).click()
  await expect(dialog(other).getByLabel('Code from the authenticator app, or a recovery code')).toBeVisible()
  await expectAccessible(other, 'proving who one is with a second factor')
  await dialog(other).locator('input[name=current-password]').fill(PASSWORD)
  await dialog(other).getByLabel('Code from the authenticator app, or a recovery code').fill('000000')
  await other.keyboard.press('Enter')
  await expect(dialog(other).getByText('Wrong password or code')).toBeVisible()
  await dialog(other)
    .getByLabel('Code from the authenticator app, or a recovery code')
    .fill(codes[1] ?? '')
  await other.keyboard.press('Enter')
  await expect(dialog(other).getByRole('list', { name: 'Recovery codes' })).toBeVisible()
  await dialog(other).getByRole('button', { name: 'I have kept them' }).click()

  await page.reload()
  await page.getByRole('button', { name: /^Forget / }).click()
  await expect(page.getByRole('heading', { name: 'Trusted devices' })).toBeHidden()
  await signOut(other)
  await enterPassword(other, served)
  await expect(other.getByLabel('Code from the authenticator app')).toBeVisible()
})

test('a second factor that is required is set up first, and an administrator removes the one that somebody lost', async ({
  page,
  served,
  elsewhere,
  complaints,
}) => {
  complaints.foresee(/status of 403/)
  await visit(page, served, '/settings/global')
  await page.getByLabel('Second factor required').selectOption('For everybody')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(page).toHaveURL(/\/welcome/)

  const clerk = await elsewhere()
  await enterPassword(clerk, served, 'clerk')
  await expect(clerk.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await expect(clerk.getByRole('img', { name: 'QR code for an authenticator app' })).toBeVisible()
  await expectAccessible(clerk, 'setting up a second factor that is required')
  await clerk.goto(`${served.url}/files/`)
  await expect(clerk.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  const secret = (await clerk.locator('code').innerText()).replaceAll(' ', '')
  await clerk.getByLabel('Code from the authenticator app').fill(totpCode(secret, Date.now()))
  await clerk.keyboard.press('Enter')
  await expect(clerk.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
  await clerk.getByRole('button', { name: 'I have kept them' }).click()
  await expect(clerk).toHaveURL(`${served.url}/files/`)

  const mine = (await page.locator('code').innerText()).replaceAll(' ', '')
  await page.getByLabel('Code from the authenticator app').fill(totpCode(mine, Date.now()))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page).toHaveURL(/\/settings\/global/)
  await page.goto(`${served.url}/settings/users`)
  await expect(page.getByRole('row', { name: /clerk/ }).getByRole('img', { name: 'Has a second factor' })).toBeVisible()
  await page.getByRole('link', { name: 'clerk' }).click()
  await page.getByRole('button', { name: 'Remove second factors' }).click()
  await dialog(page).getByRole('button', { name: 'Remove second factors' }).click()
  await expectNotice(page, 'Second factors removed')
  await expect(page.getByRole('button', { name: 'Remove second factors' })).toBeHidden()
})

test('the second step reads from right to left in Arabic, and fits a phone', async ({ page, served, elsewhere, complaints }) => {
  complaints.foresee(/status of 403/)
  await visit(page, served, '/settings/profile')
  await setUpTotp(page)
  const phone = await elsewhere({ locale: 'ar', viewport: { width: 390, height: 844 } })
  await enterPassword(phone, served)
  await expect(phone.getByLabel('رمز من تطبيق المصادقة')).toBeFocused()
  await expect(phone.locator('html')).toHaveAttribute('dir', 'rtl')
  expect(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await expectAccessible(phone, 'the second step in Arabic')
})

async function visit(page: Page, served: Served, path: string): Promise<void> {
  await signIn(page, served)
  await page.goto(served.url + path)
}

/** By the profile; @returns the key and the recovery codes. */
async function setUpTotp(page: Page): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await expect(dialog(page).getByRole('img', { name: 'QR code for an authenticator app' })).toBeVisible()
  await expectAccessible(page, 'setting up an authenticator app')
  const secret = (await dialog(page).locator('code').innerText()).replaceAll(' ', '')
  const code = dialog(page).getByLabel('Code from the authenticator app')
  await code.fill('123')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText('That was not accepted')).toBeVisible()
  await code.fill(totpCode(secret, Date.now()))
  await page.keyboard.press('Enter')
  const list = dialog(page).getByRole('list', { name: 'Recovery codes' })
  await expect(list.getByRole('listitem')).toHaveCount(10)
  await expectAccessible(page, 'recovery codes')
  const codes = await list.getByRole('listitem').allInnerTexts()
  const download = page.waitForEvent('download')
  await dialog(page).getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toContain('Recovery codes')
  await dialog(page).getByRole('button', { name: 'I have kept them' }).click()
  await expect(dialog(page)).toBeHidden()
  return { secret, codes }
}

async function enterPassword(page: Page, { url }: Served, username = 'admin'): Promise<void> {
  await page.goto(`${url}/files/`)
  await page.locator('input[name=username]').fill(username)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('form button[type=submit]').click()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
}

/** An authenticator of the browser, which verifies its user. `touch`: whether it is touched as soon as it is asked. */
async function virtualAuthenticator(page: Page): Promise<{ touch: (enabled: boolean) => Promise<void> }> {
  const client: CDPSession = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { touch: async (enabled) => void (await client.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })) }
}

/** The only dialog, or the one on top. */
function dialog(page: Page): Locator {
  return page.getByRole('dialog').last()
}

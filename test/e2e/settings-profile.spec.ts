import type { Page } from '@playwright/test'
import { age } from './age.ts'
import { expectAccessible } from './axe.ts'
import { answer, dialog, expectNames } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, PASSWORD, type Served, signIn, test } from './served.ts'

const NEW_PASSWORD = 'violet harbour lantern'

test('the settings open the profile, whose name is the page title', async ({ page, served }) => {
  await signIn(page, served)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL(`${served.url}/settings/profile`)
  await expect(page).toHaveTitle('Profile settings')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings')
  const tabs = page.getByRole('navigation', { name: 'Settings' })
  await expect(tabs.getByRole('link', { name: 'Profile settings' })).toHaveAttribute('aria-current', 'page')
  await page.goBack()
  await expect(page).toHaveURL(`${served.url}/files/`)
  await page.getByRole('button', { name: 'Account: admin' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await expect(page).toHaveURL(`${served.url}/settings/profile`)
})

test('signed-out users are asked to sign in and return to the settings', async ({ page, served }) => {
  await page.goto(`${served.url}/settings/profile?from=mail#end`)
  await expect(page).toHaveURL(`${served.url}/login?redirect=${encodeURIComponent('/settings/profile?from=mail#end')}`)
  await page.getByLabel('Username').fill('guest')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(`${served.url}/settings/profile?from=mail#end`)
  await expect(page.getByRole('switch', { name: 'Hide dotfiles' })).toBeVisible()
})

test('an unknown settings path is treated as a file, like every unknown address', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 404/)
  await signIn(page, served)
  await page.goto(`${served.url}/settings/nowhere`)
  await expect(page).toHaveURL(`${served.url}/files/settings/nowhere`)
})

test('preferences can be saved by keyboard, and hidden files appear and disappear at once', async ({ page, served }) => {
  await served.write('.secret', 'x')
  await served.write('open.txt', 'x')
  await signIn(page, served)
  await expectNames(page, ['.secret', 'open.txt'])
  await visitSettings(page)
  await page.getByRole('switch', { name: 'Hide dotfiles' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(page.getByText('2 unsaved changes')).toBeVisible()
  await page.keyboard.press('Enter')
  await expectNotice(page, 'Settings updated!')
  await expect(page.getByText('unsaved change')).toHaveCount(0)

  await page.getByRole('link', { name: 'My files' }).click()
  await expectNames(page, ['open.txt'])
  await page.getByText('open.txt').click()
  await expect(page).toHaveURL(/open\.txt$/)

  await visitSettings(page)
  await page.reload()
  await expect(page.getByRole('switch', { name: 'Open with a single click' })).toBeChecked()
  await page.getByRole('switch', { name: 'Hide dotfiles' }).uncheck()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectNotice(page, 'Settings updated!')
  await page.getByRole('link', { name: 'My files' }).click()
  await expectNames(page, ['.secret', 'open.txt'])
})

test('reverting a choice leaves nothing to save', async ({ page, served }) => {
  await openSettings(page, served)
  await page.getByRole('switch', { name: 'Hide dotfiles' }).check()
  await expect(page.getByText('1 unsaved change')).toBeVisible()
  await page.getByRole('switch', { name: 'Hide dotfiles' }).uncheck()
  await expect(page.getByText('unsaved change')).toHaveCount(0)
})

test('the language changes at once in every browser, and defaults to the browser’s language', async ({ page, served, elsewhere }) => {
  await openSettings(page, served)
  const language = page.locator('select')
  await expect(language).toHaveValue('')
  await expect(language.locator('option')).toHaveCount(19)
  await expect(language.locator('option').first()).toHaveText('Browser default (English)')
  await language.selectOption('العربية')
  await page.locator('form').filter({ has: language }).locator('button[type=submit]').click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(language).toHaveValue('ar')
  await expectAccessible(page, 'profile from right to left')

  const other = await elsewhere({ locale: 'de-DE' })
  await openSettings(other, served)
  await expect(other.locator('html')).toHaveAttribute('lang', 'ar')
  await other.locator('select').selectOption('')
  await other
    .locator('form')
    .filter({ has: other.locator('select') })
    .locator('button[type=submit]')
    .click()
  await expect(other.locator('html')).toHaveAttribute('lang', 'de')
})

test('the theme changes at once and is kept in this browser', async ({ page, served }) => {
  await openSettings(page, served)
  await page.getByRole('radio', { name: 'Light' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('html')).toHaveClass(/theme-dark/)
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await expect(page.locator('html')).toHaveClass(/theme-dark/)
})

test('the strength of a new password is shown in colour and words, and it is sent only when both entries match', async ({
  page,
  served,
  complaints,
}) => {
  complaints.foresee(/status of 400.*\/api\/users/)
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()))
  await openSettings(page, served)
  const { password, confirmation, submit } = passwordForm(page)
  for (const field of [password, confirmation]) await expect(field).toHaveAttribute('autocomplete', 'new-password')
  await submit.click()
  await password.fill('something long')
  await confirmation.fill('something else')
  await expect(page.getByText('Passwords don’t match')).toBeVisible()
  const red = await borderOf(page, 'New password')
  expect(await borderOf(page, 'Confirm the new password')).toBe(red)
  await submit.click()
  await confirmation.press('Enter')
  expect(sent).toEqual([])

  await confirmation.fill('something long')
  await expect(page.getByText('Passwords match')).toBeVisible()
  const green = await borderOf(page, 'New password')
  expect(green).not.toBe(red)
  expect(await borderOf(page, 'Confirm the new password')).toBe(green)

  await password.fill('short')
  await confirmation.fill('short')
  await confirmation.press('Enter')
  await expect(page.getByText('Use at least 12 characters')).toBeVisible()
  await expect(password).toHaveAccessibleDescription('Use at least 12 characters')

  await password.fill(NEW_PASSWORD)
  await confirmation.fill(NEW_PASSWORD)
  await expect(page.getByText('Use at least 12 characters')).toHaveCount(0)
  await confirmation.press('Enter')
  await expectNotice(page, 'Password updated!')
  await expect(password).toHaveValue('')
})

test('changing the password after an old sign-in requires reauthentication', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 403.*\/api\/users/)
  // The page may ask for a font while the server is down.
  complaints.foresee(/ERR_CONNECTION_(REFUSED|RESET)/)
  await openSettings(page, served)
  await age(served)
  await page.reload()
  await typePassword(page)
  const proof = dialog(page, 'Confirm it’s you')
  await expect(proof.getByLabel('Current password')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(proof).toHaveCount(0)
  await expect(passwordForm(page).password).toHaveValue(NEW_PASSWORD)

  await passwordForm(page).submit.click()
  await proof.getByLabel('Current password').fill('not it')
  await page.keyboard.press('Enter')
  await expect(proof.getByText('This is not your current password')).toBeVisible()
  await expectAccessible(page, 'proof')
  await proof.getByLabel('Current password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expectNotice(page, 'Password updated!')
  await expect(proof).toHaveCount(0)

  expect(await statusOfSignIn(served, PASSWORD)).toBe(403)
  expect(await statusOfSignIn(served, NEW_PASSWORD)).toBe(200)
})

test('a locked password cannot be changed', async ({ page, served, elsewhere }) => {
  const admin = await elsewhere()
  await signIn(admin, served)
  await admin.evaluate(async () => {
    const headers = { 'x-auth': localStorage.getItem('jwt') ?? '' }
    const users = (await (await fetch('/api/users', { headers })).json()) as { id: number; username: string }[]
    const id = users.find(({ username }) => username === 'guest')?.id
    const body = JSON.stringify({ what: 'user', which: ['lockPassword'], data: { id, lockPassword: true } })
    await fetch(`/api/users/${id}`, { method: 'PUT', headers, body })
  })
  await openSettings(page, served, 'guest')
  await expect(page.getByRole('heading', { name: 'Change password' })).toHaveCount(0)
})

test('other sessions are listed by device and can be ended', async ({ page, served, elsewhere, complaints }) => {
  complaints.foresee(/status of 401/)
  const other = await elsewhere({ userAgent: 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0' })
  await signIn(other, served)
  await openSettings(page, served)
  const devices = page.getByRole('list', { name: 'Signed in on' }).getByRole('listitem')
  await expect(devices).toHaveCount(2)
  await expect(devices.filter({ hasText: 'This device' })).toContainText('Active now')
  const firefox = devices.filter({ hasText: 'Firefox on Linux' })
  await expect(firefox).toContainText('127.0.0.1')
  await expect(firefox).toContainText('Last seen')
  await firefox.getByRole('button', { name: 'Sign out Firefox on Linux' }).click()
  await expect(devices).toHaveCount(1)
  await other.reload()
  await expect(other).toHaveURL(/\/login/)

  await devices.getByRole('button').click()
  await expect(page).toHaveURL(`${served.url}/login`)
})

test('signing out everywhere asks first and leads to the sign-in page', async ({ page, served, elsewhere, complaints }) => {
  complaints.foresee(/status of 401/)
  const other = await elsewhere()
  await signIn(other, served)
  await openSettings(page, served)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await answer(dialog(page, 'Sign out everywhere?'), 'Cancel')
  await expect(page).toHaveURL(`${served.url}/settings/profile`)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await dialog(page, 'Sign out everywhere?').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL(`${served.url}/login`)
  await other.reload()
  await expect(other).toHaveURL(/\/login/)
})

test('the profile has no axe violations', async ({ page, served }) => {
  await openSettings(page, served)
  await expect(page.getByText('Active now')).toBeVisible()
  await passwordForm(page).password.fill('one')
  await page.getByRole('switch', { name: 'Hide dotfiles' }).check()
  await expectAccessible(page, 'profile with passwords that differ')
  await passwordForm(page).confirmation.fill('one')
  await expectAccessible(page, 'profile with equal passwords')
})

test('on a phone the settings have one column and large targets', async ({ page, served }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, served)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('dialog', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByText('Active now')).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'Main' })).toHaveCount(0)
  expect(await page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(390)
  const buttons = page.getByRole('main').locator('a:visible, button:visible, select:visible, label:has(input):visible')
  for (const button of await buttons.all()) {
    const box = await button.boundingBox()
    expect(box?.height, await button.innerHTML()).toBeGreaterThanOrEqual(44)
  }
  await expectAccessible(page, 'profile on a phone')
})

async function openSettings(page: Page, served: Served, username = 'admin'): Promise<void> {
  await signIn(page, served, '/files/', username)
  await visitSettings(page)
}

async function visitSettings(page: Page): Promise<void> {
  await page.locator('a[href="/settings"]').click()
  await expect(page.locator('select')).toBeVisible()
}

function passwordForm(page: Page) {
  return {
    password: page.getByLabel('New password', { exact: true }),
    confirmation: page.getByLabel('Confirm the new password'),
    submit: page.getByRole('button', { name: 'Change password' }),
  }
}

async function typePassword(page: Page): Promise<void> {
  const { password, confirmation, submit } = passwordForm(page)
  await password.fill(NEW_PASSWORD)
  await confirmation.fill(NEW_PASSWORD)
  await submit.click()
}

/** The colour of a field's box, once it has arrived at it. */
function borderOf(page: Page, label: string): Promise<string> {
  return page.getByLabel(label, { exact: true }).evaluate(async (input) => {
    const box = input.parentElement ?? input
    await Promise.allSettled(box.getAnimations().map(({ finished }) => finished))
    return getComputedStyle(box).borderBlockStartColor
  })
}

async function statusOfSignIn({ url }: Served, password: string): Promise<number> {
  const response = await fetch(`${url}/api/login`, { method: 'POST', body: JSON.stringify({ username: 'admin', password }) })
  return response.status
}

import type { Page } from '@playwright/test'
import { BASE, groupDn, group, person, personDn, SEARCHER, type Slapd, startSlapd } from '../ldap/slapd.ts'
import { expectAccessible } from './axe.ts'
import { expect, type Served, signInByForm, test } from './served.ts'

let slapd: Slapd
test.beforeAll(async () => {
  slapd = await startSlapd([person('ada', { mail: 'ada@example.org' }), person('bob'), group('it', [personDn('ada')])].join(''))
})
test.afterAll(() => slapd[Symbol.dispose]())

/** A directory that an administrator has set up. */
async function withDirectory(served: Served, fields: Record<string, unknown> = {}): Promise<void> {
  const session = served.takeSession()
  const body = {
    id: 'corp',
    name: 'Corp',
    urls: [slapd.ldaps],
    ca: slapd.ca,
    bindDn: SEARCHER.dn,
    bindPassword: SEARCHER.password,
    baseDn: BASE,
    create: true,
    ...fields,
  }
  const answer = await fetch(`${served.url}/api/directories`, {
    method: 'POST',
    headers: { 'x-auth': session?.token ?? '', cookie: `${session?.cookie.name}=${session?.cookie.value}` },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
}

async function enter(page: Page, username: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('an administrator adds a directory, sees why it does not work, tries it, and somebody signs in', async ({
  page,
  served,
  elsewhere,
  complaints,
}) => {
  complaints.foresee(/status of 40[03]/)
  await signInByForm(page, served)
  await page.goto(`${served.url}/settings/sign-in`)
  await page.getByText('Add a directory').click()
  const added = page.getByRole('group', { name: 'Add a directory' })
  await added.getByRole('textbox', { name: 'Name', exact: true }).fill('Corp')
  await added.getByRole('textbox', { name: 'Addresses' }).fill(slapd.ldap)
  await added.getByRole('textbox', { name: 'Base DN for people' }).fill(BASE)
  await added.getByRole('textbox', { name: 'Account that searches' }).fill(SEARCHER.dn)
  await added.getByLabel('Password of this account').fill('wrong')
  await added.getByRole('textbox', { name: 'Who is an administrator' }).fill(groupDn('it'))
  await added.getByRole('button', { name: 'Create' }).click()
  await expect(added.getByText('needs StartTLS')).toBeVisible()
  await added.getByRole('switch', { name: 'StartTLS' }).click()
  await added.getByRole('textbox', { name: 'Trusted certificate' }).fill(slapd.ca)
  await added.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Directory saved')).toBeVisible()

  await page.locator('[data-part=directories]').getByText('Corp', { exact: true }).click()
  const trial = page.getByRole('group', { name: 'Test of Corp' })
  await trial.getByRole('textbox', { name: 'Username' }).fill('ada')
  await page.keyboard.press('Enter')
  await expect(page.getByText('the account that searches is refused')).toBeVisible()
  await expect(page.getByText('its settings are wrong')).toBeVisible()
  const editor = page.getByRole('group', { name: 'Corp', exact: true })
  await editor.getByLabel('Password of this account').fill(SEARCHER.password)
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor.getByRole('button', { name: 'Save' })).toBeDisabled()
  await trial.getByRole('textbox', { name: 'Username' }).fill('ada')
  await trial.getByLabel('Password', { exact: true }).fill('password of ada')
  await page.keyboard.press('Enter')
  await expect(page.getByText('a new account ada would be created, as an administrator')).toBeVisible()
  await expect(page.getByText('Signing in would work.')).toBeVisible()
  await expectAccessible(page, 'a directory that was tried')
  await page.getByRole('button', { name: 'Compare now' }).click()
  await expect(page.getByText('Accounts: 0. Access ended: 0.')).toBeVisible()

  const own = await elsewhere()
  await own.goto(`${served.url}/login`)
  await enter(own, 'ada', 'wrong')
  await expect(own.getByText('Wrong credentials')).toBeVisible()
  await enter(own, 'ada', 'password of ada')
  await own.waitForURL(/\/files\//)
  await own.goto(`${served.url}/settings/users`)
  await expect(own.getByText('bob')).toBeHidden()
  await page.reload()
  await expect(page.getByRole('table', { name: 'Connected accounts' }).getByText('ada')).toBeVisible()
})

test('an account is connected in the profile with the password of the directory', async ({ page, served, elsewhere, complaints }) => {
  complaints.foresee(/status of 40[39]/)
  await withDirectory(served, { create: false })
  const own = await elsewhere()
  await own.goto(`${served.url}/login`)
  await enter(own, 'bob', 'password of bob')
  await expect(own.getByText('there is no account for you here')).toBeVisible()
  await signInByForm(page, served)
  await page.goto(`${served.url}/settings/profile`)
  await page.getByRole('button', { name: 'Connect: Corp' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect: Corp' })
  await dialog.getByRole('textbox', { name: 'Username' }).fill('bob')
  await dialog.getByLabel('Password', { exact: true }).fill('wrong')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Wrong credentials')).toBeVisible()
  await expectAccessible(page, 'the dialog that connects with a directory')
  await dialog.getByLabel('Password', { exact: true }).fill('password of bob')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Connected. You can now sign in this way.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Disconnect: Corp' })).toBeVisible()
  await enter(own, 'bob', 'password of bob')
  await own.waitForURL(/\/files\//)
})

test('while a directory is away, its people are asked to try later, and others sign in', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 503/)
  await withDirectory(served, { urls: ['ldaps://127.0.0.1:9'] })
  await page.goto(`${served.url}/login`)
  await enter(page, 'ada', 'password of ada')
  await expect(page.getByText('Directory accounts can’t be checked at the moment')).toBeVisible()
  await signInByForm(page, served)
})

test('at 390 pixels nothing of a directory is wider than the screen', async ({ page, served }) => {
  await withDirectory(served)
  await page.setViewportSize({ width: 390, height: 800 })
  await signInByForm(page, served)
  await page.goto(`${served.url}/settings/sign-in`)
  await page.locator('[data-part=directories]').getByText('Corp', { exact: true }).click()
  await expect(page.getByRole('group', { name: 'Corp', exact: true })).toBeVisible()
  const trial = page.getByRole('group', { name: 'Test of Corp' })
  await trial.getByRole('textbox', { name: 'Username' }).fill('ada')
  await trial.getByRole('button', { name: 'Try it' }).click()
  await expect(page.getByText('Signing in would work.')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

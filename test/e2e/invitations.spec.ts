import type { Page } from '@playwright/test'
import { type MailServer, secretIn, startMailServer } from '../mail-server.ts'
import { expectAccessible } from './axe.ts'
import { dialog } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, signIn, signInByForm, test } from './served.ts'

/** Those that the settings accept. */
const PORTS = [2525, 1025, 2587, 2465]
const OWN = 'a password of my own'

test('an administrator sets up mail, invites somebody, and a forgotten password is chosen anew', async ({
  page,
  served,
  elsewhere,
  complaints,
}) => {
  complaints.foresee(/status of 40[034]/)
  await using server = await startMailServer({ ports: PORTS })
  await signIn(page, served)
  await page.goto(`${served.url}/settings/mail`)
  const form = page.getByRole('form', { name: 'Mail' })
  await form.getByRole('textbox', { name: 'Server' }).fill('127.0.0.1')
  await form.getByLabel('Port').fill('22')
  await form.getByLabel('Encryption').selectOption('none')
  await form.getByLabel('Sender address').fill('files@example.org')
  await form.getByLabel('Address of this site').fill(served.url)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('This value is not accepted')).toHaveCount(1)
  await expect(form.getByLabel('Port')).toHaveAttribute('aria-invalid', 'true')
  await form.getByLabel('Port').fill(String(server.port))
  await form.getByRole('button', { name: 'Save' }).click()
  await expectNotice(page, 'Mail server saved')
  await form.getByLabel('Send to').fill('admin@example.org')
  await page.keyboard.press('Enter')
  await expect(form.getByText('Message sent')).toBeVisible()
  await expectAccessible(page, 'the settings of mail')

  await page.goto(`${served.url}/settings/users/new`)
  await page.getByLabel('Username').fill('ben')
  await page.getByRole('switch', { name: 'Invite with a link' }).check()
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0)
  await page.getByLabel('Mail address').fill('ben@example.org')
  await page.getByRole('button', { name: 'Create user' }).click()
  const link = dialog(page, 'Link for ben')
  await expect(link.getByText('ben@example.org')).toBeVisible()
  await expect(link.getByRole('textbox')).toHaveValue(/\/password#[\w-]{43}$/)
  await expectAccessible(page, 'the link of an invitation')
  await link.getByRole('button', { name: 'Close' }).click()

  // On a phone, in Arabic, by the link in the mail.
  const phone = await elsewhere({ locale: 'ar', viewport: { width: 390, height: 844 } })
  await phone.goto(await linkIn(server, served.url, 2))
  await expect(phone.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(phone.getByRole('heading', { name: 'اختيار كلمة مرور' })).toBeVisible()
  await expectAccessible(phone, 'choosing a password by a link')
  await choose(phone)
  await expect(phone).toHaveURL(`${served.url}/login`)
  await enter(phone, 'ben', OWN)
  await expect(phone).toHaveURL(/\/files\//)

  // The same link again; and another one, because it is forgotten.
  const other = await elsewhere()
  await other.goto(await linkIn(server, served.url, 2))
  await expect(other.getByRole('heading', { name: 'This link does not work any more' })).toBeVisible()
  await other.getByRole('link', { name: 'Back to sign-in' }).click()
  await other.getByRole('link', { name: 'Forgot your password?' }).click()
  await expectAccessible(other, 'asking for a link')
  await other.keyboard.type('BEN@example.org')
  await other.keyboard.press('Enter')
  await expect(other.getByText(/a link is on its way/)).toBeVisible()
  await other.goto(await linkIn(server, served.url, 3))
  await expect(other.getByText('For the account ben')).toBeVisible()
  await choose(other, 'yet another password')
  await expectNotice(other, 'Password saved. Sign in with it.')
  await expect.poll(() => server.arrived.length).toBe(4)
  expect(server.arrived[3]?.subject).toContain('was changed')
})

test('somebody confirms an address of their own', async ({ page, served, elsewhere }) => {
  await using server = await startMailServer({ ports: PORTS.toReversed() })
  await signIn(page, served)
  await page.goto(`${served.url}/settings/mail`)
  const form = page.getByRole('form', { name: 'Mail' })
  await form.getByRole('textbox', { name: 'Server' }).fill('127.0.0.1')
  await form.getByLabel('Port').fill(String(server.port))
  await form.getByLabel('Encryption').selectOption('none')
  await form.getByLabel('Sender address').fill('files@example.org')
  await form.getByRole('button', { name: 'Save' }).click()
  await expectNotice(page, 'Mail server saved')
  const clerk = await elsewhere()
  await signInByForm(clerk, served, '/files/', 'clerk')
  await clerk.goto(`${served.url}/settings/profile`)
  await clerk.getByLabel('Mail address').fill('clerk@example.org')
  await clerk.getByRole('button', { name: 'Save address' }).click()
  await expect(clerk.getByText(/Open the link in the message to/)).toBeVisible()
  const fresh = await elsewhere()
  await fresh.goto(await linkIn(server, served.url, 1))
  await fresh.getByRole('button', { name: 'Confirm' }).click()
  await expect(fresh.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible()
  await clerk.reload()
  await expect(clerk.getByLabel('Mail address')).toHaveValue('clerk@example.org')
  await expect(clerk.getByText(/Open the link in the message to/)).toHaveCount(0)
})

/** The address of the link in the last of so many mails. */
async function linkIn(server: MailServer, url: string, count: number): Promise<string> {
  await expect.poll(() => server.arrived.length).toBeGreaterThanOrEqual(count)
  const mail = server.arrived[count - 1]
  return `${url}/password#${mail === undefined ? '' : secretIn(mail)}`
}

async function choose(page: Page, password = OWN): Promise<void> {
  for (const field of await page.locator('input[autocomplete=new-password]').all()) await field.fill(password)
  await page.locator('form button[type=submit]').click()
}

async function enter(page: Page, username: string, password: string): Promise<void> {
  await page.locator('input[autocomplete=username]').fill(username)
  await page.locator('input[autocomplete=current-password]').fill(password)
  await page.locator('form button[type=submit]').click()
}

import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { dialog } from './listing.ts'
import { expect, signIn, test } from './served.ts'
import { serverCommand } from '../../scripts/lib/server.mjs'

const OWN = 'a password of my own'

test('U14: the first-run setup asks for a new password and then one question at a time, works by keyboard, and follows the system’s dark theme', async ({
  elsewhere,
  complaints,
}) => {
  // The server ends before the pages, and the printed password is refused in the end.
  complaints.foresee(/ERR_|403|400/)
  await using server = await startAnew()
  const page = await elsewhere({ colorScheme: 'dark' })
  await enter(page, server.url, server.password)
  await expect(page.locator('html')).toHaveClass(/(^| )dark( |$)/)
  await expectStep(page, 'Choose your own password', 1)
  await expectAccessible(page, 'the password of the first minute')

  // There is no way around it, and the printed one is not one’s own.
  await page.goto(`${server.url}/files/`)
  await expectStep(page, 'Choose your own password', 1)
  await typePassword(page, server.password)
  await expect(page.getByText('This is the password that was printed')).toBeVisible()
  await page.getByLabel('New password', { exact: true }).focus()
  await typePassword(page, OWN)

  await expectStep(page, 'Choose your language', 2)
  await expect(page.getByRole('combobox', { name: 'Language' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectStep(page, 'Give your site a name', 3)
  await page.keyboard.type('The attic')
  await page.keyboard.press('Enter')
  await expectStep(page, 'Add a person', 4)

  // Continued where it was, on another device too.
  await page.reload()
  await expectStep(page, 'Add a person', 4)
  await page.getByLabel('Username').focus()
  await page.keyboard.type('ann')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'ann can sign in' })).toBeVisible()
  const [, password = ''] = (await page.locator('[data-part=welcome-result]').innerText()).match(/Password\s+(\S+)/) ?? []
  await expectAccessible(page, 'what to pass on')
  await expect(page.getByRole('note')).toContainText(/Only this computer can reach 127\.0\.0\.1/)

  // Not lost by a reload, and not asked again elsewhere.
  await page.reload()
  await expect(page.getByRole('heading', { name: 'ann can sign in' })).toBeVisible()
  await expect(page.locator('[data-part=welcome-result]')).toContainText(password)
  const phone = await elsewhere()
  await enter(phone, server.url, OWN)
  await expectStep(phone, 'Share a folder by link', 5)
  await page.getByRole('button', { name: 'Continue' }).click()

  await expectStep(page, 'Share a folder by link', 5)
  await expect(page.getByRole('note')).toContainText("start Satchel with --address ''")
  await expectAccessible(page, 'an address that only this computer can reach')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'The link is ready' })).toBeVisible()
  const [, link = ''] = (await page.locator('[data-part=welcome-result]').innerText()).match(/(http\S+)/) ?? []
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'The attic is ready' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: /^Shared Folder/ })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[data-item]:focus')).toContainText('Shared')

  // Never again.
  await page.reload()
  await expect(page.locator('[data-part=listing]')).toBeVisible()
  const visitor = await elsewhere()
  await visitor.goto(link)
  await expect(visitor.getByText('Shared').first()).toBeVisible()
  const ann = await elsewhere()
  await enter(ann, server.url, password, 'ann')
  await expect(ann.locator('[data-part=listing]')).toBeVisible()
  await expect(ann.getByRole('link', { name: /^Shared Folder/ })).toHaveCount(0)
  const again = await elsewhere()
  await enter(again, server.url, OWN)
  await expect(again.locator('[data-part=listing]')).toBeVisible()
  const late = await elsewhere()
  await attempt(late, server.url, server.password)
  await expect(late.getByText('Wrong credentials')).toBeVisible()
})

test('U14: the password of the first window is kept: a second window and another browser go on without replacing it', async ({
  elsewhere,
  complaints,
}) => {
  complaints.foresee(/ERR_|40[0139]/)
  await using server = await startAnew()
  const page = await elsewhere()
  await enter(page, server.url, server.password)
  await expectStep(page, 'Choose your own password', 1)
  // One window hears at once what another does; the other does not, as if both passwords were sent at the same time.
  const hearing = await page.context().newPage()
  const deaf = await page.context().newPage()
  await deaf.addInitScript(() => addEventListener('storage', (event) => event.stopImmediatePropagation(), { capture: true }))
  for (const window of [hearing, deaf]) {
    await window.goto(`${server.url}/`)
    await expectStep(window, 'Choose your own password', 1)
  }
  await deaf.route('**/api/renew', (route) => route.abort())
  const other = await elsewhere()
  await enter(other, server.url, server.password)
  await expectStep(other, 'Choose your own password', 1)

  await typePassword(page, OWN)
  await expectStep(page, 'Choose your language', 2)
  await expectStep(hearing, 'Choose your language', 2)
  await typePassword(deaf, 'the password of the second')
  await expectStep(deaf, 'Choose your language', 2)
  for (const window of [hearing, deaf])
    await expect(window.getByText('Your password has already been chosen in another window.')).toBeVisible()

  // Another browser’s session has ended with the printed password, which it says when it is looked at again.
  await other.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(other.getByText('Your session has ended.')).toBeVisible()
  await attempt(other, server.url, OWN)
  await expectStep(other, 'Choose your language', 2)
  const late = await elsewhere()
  await attempt(late, server.url, 'the password of the second')
  await expect(late.getByText('Wrong credentials')).toBeVisible()
})

test('U14: each question of the first-run setup, or all the rest, can be skipped, also on a phone and right to left', async ({
  elsewhere,
  complaints,
}) => {
  complaints.foresee(/ERR_/)
  await using server = await startAnew()
  const page = await elsewhere({ locale: 'ar', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await page.goto(`${server.url}/login`)
  await page.locator('input[name=username]').fill('admin')
  await page.locator('input[name=password]').fill(server.password)
  await page.keyboard.press('Enter')
  await page.locator('[data-step=password]').waitFor()
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await page.locator('input[name=new-password]').fill(OWN)
  await page.locator('input[name=new-password-again]').fill(OWN)
  await page.keyboard.press('Enter')
  const step = (name: string) => page.locator(`[data-step=${name}]`)
  await step('language').getByRole('combobox').selectOption('de')
  await step('language').locator('[type=submit]').tap()
  await expect(step('name').getByRole('heading', { name: 'Der Seite einen Namen geben' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('dir', 'ltr')
  await page.getByRole('button', { name: 'Überspringen', exact: true }).tap()
  await step('person').waitFor()
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  expect(isWide).toBe(false)
  await page.getByRole('button', { name: 'Rest überspringen' }).tap()
  await step('done').locator('[type=submit]').tap()
  await expect(page.locator('[data-part=empty-state], [data-part=listing]').first()).toBeVisible()
  await page.reload()
  await expect(page.locator('[data-part=welcome]')).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('U14: an empty folder does not mention dropping files, and help explains touch gestures', async ({ page, served }) => {
    await mkdir(join(served.root, 'empty'))
    await signIn(page, served, '/files/empty/')
    await expect(page.getByText('Upload files from this device, or create a folder.')).toBeVisible()
    await expect(page.getByText('Drop files')).toHaveCount(0)
    await page.keyboard.press('F1')
    const help = dialog(page, 'Help')
    await expect(help.getByText('Touch and hold')).toBeVisible()
    await expect(help.getByText('Ctrl')).toHaveCount(0)
    await expectAccessible(page, 'help on a phone')
  })
})

async function expectStep(page: Page, title: string, number: number): Promise<void> {
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  await expect(page.getByText(`Step ${number} of 5`)).toBeVisible()
}

/** Into the two fields, of which the first has the focus. */
async function typePassword(page: Page, password: string): Promise<void> {
  const field = page.getByLabel('New password', { exact: true })
  await expect(field).toBeFocused()
  await field.fill(password)
  await page.getByLabel(/Confirm|Repeat/).fill(password)
  await page.keyboard.press('Enter')
}

async function attempt(page: Page, url: string, password: string, username = 'admin'): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

async function enter(page: Page, url: string, password: string, username = 'admin'): Promise<void> {
  await attempt(page, url, password, username)
  await page.waitForURL(/\/(files|welcome)/)
}

/** A server that nobody has ever started, and the password that it prints. */
async function startAnew(): Promise<{ url: string; password: string } & AsyncDisposable> {
  const home = await mkdtemp(join(tmpdir(), 'satchel-first-'))
  await mkdir(join(home, 'files'))
  const options = ['--root', join(home, 'files'), '--data', join(home, 'data'), '--port', '0']
  const [program, ...words] = serverCommand()
  const child = spawn(program, [...words, ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  const told = await new Promise<{ url: string; password: string }>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the server ended: ${said}`)))
    child.stdout.on('data', (text: Buffer) => {
      said += text.toString()
      const url = /https?:\/\/[\d.]+:\d+/.exec(said)?.[0]
      const password = /password[^\n]*?([\w-]{20})(?=\s|$)/i.exec(said)?.[1]
      if (url !== undefined && password !== undefined) resolve({ url, password })
    })
  })
  return {
    ...told,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      await rm(home, { recursive: true, force: true })
    },
  }
}

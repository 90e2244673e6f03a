import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { dialog } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, signIn, test } from './served.ts'
import { serverCommand } from '../../scripts/lib/server.mjs'

const OWN = 'a password of my own'

test('U14: the first minute: the printed password asks for another until there is one, and the page is dark where the system is', async ({
  elsewhere,
  complaints,
}) => {
  // The server ends before the pages.
  complaints.foresee(/ERR_/)
  await using server = await startAnew()
  const page = await elsewhere({ colorScheme: 'dark' })
  await enter(page, server.url, server.password)
  await expect(page.locator('html')).toHaveClass(/(^| )dark( |$)/)
  const prompt = dialog(page, 'Choose your own password')
  await expectAccessible(page, 'the question for a password of one’s own')
  await prompt.getByRole('button', { name: 'Later' }).click()
  await expect(prompt).toBeHidden()

  // Asked again at the next start.
  await page.reload()
  await expect(prompt.getByLabel('New password', { exact: true })).toBeFocused()
  await page.keyboard.type(OWN)
  await prompt.getByLabel(/Confirm|Repeat/).fill(OWN)
  await page.keyboard.press('Enter')
  await expectNotice(page, 'Password updated!')
  await expect(prompt).toBeHidden()
  const again = await elsewhere()
  await enter(again, server.url, OWN)
  await expect(again.locator('[data-part=listing]')).toBeVisible()
  const told = await again.evaluate(async () => {
    const response = await fetch('/api/users/1', { headers: { 'x-auth': localStorage.getItem('jwt') ?? '' } })
    return Object.keys((await response.json()) as object)
  })
  expect(told).not.toContain('mustChangePassword')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('U14: an empty folder speaks of no dropping, and help tells what fingers do', async ({ page, served }) => {
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

async function enter(page: Page, url: string, password: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/files/)
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

import { expectAccessible } from './axe.ts'
import { expect, PASSWORD, type Served, test } from './served.ts'

test('a sync client waits until somebody signs in on the page that it opens and allows it there', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 40/)
  const { login, polled } = await begun(served)
  expect(login.startsWith(`${served.url}/connect/`), login).toBe(true)
  expect(await polled()).toBe(null)
  await page.goto(login)
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Allow this app to use the files of admin?' })).toBeVisible()
  await expect(page.getByText('Laptop of Ann', { exact: true })).toBeVisible()
  await expectAccessible(page, 'the question of a sync client')
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('heading', { name: 'The app is connected. You can close this page.' })).toBeVisible()
  const password = await polled()
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
  const found = await fetch(`${served.url}/remote.php/webdav/`, { method: 'PROPFIND', headers: { authorization, depth: '0' } })
  expect(found.status).toBe(207)
  await page.goto(`${served.url}/settings/profile`)
  await expect(page.getByText('Laptop of Ann')).toBeVisible()

  const other = await begun(served)
  await page.goto(other.login)
  await page.getByRole('button', { name: 'Refuse' }).click()
  await expect(page.getByRole('heading', { name: 'The app was refused. You can close this page.' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'This request has ended. Start again in the app.' })).toBeVisible()
  expect(await other.polled()).toBe(null)
})

/** As a client begins it. `polled`: its password once somebody has allowed it; null before. */
async function begun({ url }: Served): Promise<{ login: string; polled: () => Promise<string | null> }> {
  const response = await fetch(`${url}/index.php/login/v2`, { method: 'POST', headers: { 'user-agent': 'Laptop of Ann' } })
  const { login, poll } = (await response.json()) as { login: string; poll: { endpoint: string; token: string } }
  return {
    login,
    async polled() {
      const answer = await fetch(poll.endpoint, { method: 'POST', body: new URLSearchParams({ token: poll.token }) })
      return answer.ok ? ((await answer.json()) as { appPassword: string }).appPassword : null
    },
  }
}

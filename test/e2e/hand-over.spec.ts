import { type Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { dialog } from './listing.ts'
import { expect, PASSWORD, type Served, signIn, test } from './served.ts'
import { wordsOf } from './words.ts'

test('what somebody leaves is handed over by the keyboard, seen, and moved back', async ({ page, served }) => {
  await signIn(page, served)
  const [eve] = await people(page, served)
  await page.goto(`${served.url}/settings/users/${eve}`)
  await page.getByRole('button', { name: 'Delete user' }).click()
  await dialog(page, 'Delete eve?').getByRole('button', { name: 'Hand over first…' }).click()
  await expect(page.getByRole('heading', { name: 'Hand over what eve leaves' })).toBeVisible()
  await expect(page.getByRole('row', { name: /Files/ })).toContainText('2 files and folders')
  await expectAccessible(page, 'handing over, before a successor is chosen')

  await page.getByLabel('Successor', { exact: true }).focus()
  await page.keyboard.type('lee')
  await page.getByLabel('Name of the folder').fill('What eve left')
  await expect(page.getByRole('row', { name: /Files/ })).toContainText('New folder: /lee/What eve left')
  await expect(page.getByRole('row', { name: /Shares/ })).toContainText('1 passes to the successor.')
  await expectAccessible(page, 'handing over')
  await page.getByRole('button', { name: 'Hand over', exact: true }).press('Enter')
  const sure = dialog(page, 'Hand over what eve leaves to lee?')
  await sure.getByRole('button', { name: 'Hand over' }).press('Enter')
  await expect(page.getByText('Handed over to lee')).toBeVisible()
  await expect(page.getByText('Links and shares: 1 passed, 0 ended, 0 kept')).toBeVisible()

  await page.goto(`${served.url}/files/lee/What%20eve%20left/`)
  await expect(page.getByText('notes.txt')).toBeVisible()
  await page.goto(`${served.url}/settings/users/hand-over/${eve}`)
  await page.getByRole('button', { name: 'Move the files back' }).click()
  await expect(page.getByRole('button', { name: 'Move the files back' })).toHaveCount(0)
  await page.goto(`${served.url}/files/eve/`)
  await expect(page.getByText('notes.txt')).toBeVisible()
})

test('on a phone, in Arabic, what somebody leaves fits the screen', async ({ page, served, elsewhere }) => {
  await signIn(page, served)
  const [eve] = await people(page, served)
  const t = wordsOf('ar')
  const phone = await elsewhere({ viewport: { width: 390, height: 844 }, locale: 'ar' })
  await signIn(phone, served)
  await phone.goto(`${served.url}/settings/users/hand-over/${eve}`)
  await phone.getByLabel(t('leave.to'), { exact: true }).selectOption('lee')
  await expect(phone.getByRole('row').filter({ hasText: '/lee/' })).toBeVisible()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await expectAccessible(phone, 'handing over in Arabic')
})

/** Ids of somebody with two files and a link, and of a successor. */
async function people(page: Page, served: Served): Promise<[number, number]> {
  return page.evaluate(
    async ({ url, password }) => {
      const token = localStorage.getItem('jwt') ?? ''
      const ask = async (address: string, method: string, body: unknown, auth = token) =>
        fetch(url + address, { method, headers: { 'x-auth': auth }, body: typeof body === 'string' ? body : JSON.stringify(body) })
      const perm = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }
      const add = async (username: string) => {
        const data = { username, password, scope: `/${username}`, perm }
        const made = await ask('/api/users', 'POST', { what: 'user', which: [], data, current_password: password })
        return Number(made.headers.get('location')?.split('/').at(-1))
      }
      for (const path of ['/eve/', '/eve/docs/', '/lee/']) await ask(`/api/resources${path}`, 'POST', '')
      await ask('/api/resources/eve/notes.txt', 'POST', 'notes')
      const ids: [number, number] = [await add('eve'), await add('lee')]
      const session = await (
        await fetch(`${url}/api/login`, { method: 'POST', body: JSON.stringify({ username: 'eve', password }) })
      ).text()
      await ask('/api/share/notes.txt', 'POST', {}, session)
      return ids
    },
    { url: served.url, password: PASSWORD },
  )
}

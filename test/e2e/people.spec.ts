import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { dialog } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, PASSWORD, signIn, test } from './served.ts'
import { wordsOf } from './words.ts'

const LIST = `username;email;folder;groups
Kim;kim@example.org;/kim;Team
Lee;;/lee;
reader;;;
 ;x;;
`

test('users are created from a list, found, put into a group and disabled together', async ({ page, served, elsewhere }) => {
  await signIn(page, served)
  await page.goto(`${served.url}/settings/groups`)
  await page.getByLabel('Name').fill('Team')
  await page.keyboard.press('Enter')
  await prove(page)
  await expect(page.getByRole('form', { name: 'Team' })).toBeVisible()
  // use2-8: the form that had the focus is gone.
  await expect(page.getByRole('heading', { name: 'Team' })).toBeFocused()

  await page.goto(`${served.url}/settings/users`)
  await page.getByRole('link', { name: 'Import' }).click()
  await page.getByLabel('List').fill(LIST)
  await page.getByRole('button', { name: 'Check the list' }).click()
  await expect(page.getByRole('list', { name: 'Result' })).toContainText('2 new accounts')
  await expect(page.getByRole('list', { name: 'Result' })).toContainText('1 exists already')
  await expect(page.getByRole('row', { name: /This cannot be a user name/ })).toBeVisible()
  await expectAccessible(page, 'a checked list of users')
  await page.getByRole('button', { name: 'Create 2 accounts' }).click()
  await expect(page.getByRole('list', { name: 'Result' })).toContainText('2 accounts created')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download the links' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  const [first] = text.split('\r\n')
  expect(first).toMatch(new RegExp(`^Kim,${served.url}/password#[\\w-]{43}$`))
  const invited = await elsewhere()
  await invited.goto(first?.slice('Kim,'.length) ?? '')
  await expect(invited.getByText('Kim')).toBeVisible()

  await page.getByRole('link', { name: 'All users' }).click()
  await page.getByLabel('Find by name, folder or mail address').fill('EXAMPLE.org')
  await expect(page.getByText('1 user found')).toBeVisible()
  await expect(page.getByRole('row', { name: /Kim/ })).toContainText('Team')
  await page.getByLabel('Find by name, folder or mail address').fill('')
  await page.getByLabel('Show', { exact: true }).selectOption('No password chosen yet')
  await expect(page.getByText('2 users found')).toBeVisible()
  await page.getByLabel('Select all shown').press('Space')
  await page.getByRole('button', { name: 'Add to group' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add to group' }).click()
  await expectNotice(page, '2 users changed')
  await expect(page.getByRole('row', { name: /Lee/ })).toContainText('Team')

  await page.getByLabel('Select Lee').click()
  await expectAccessible(page, 'selected users')
  await page.getByRole('button', { name: 'Disable' }).click()
  await dialog(page, 'Disable 1 user?').getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByRole('row', { name: /Lee/ })).toContainText('Disabled')
})

test('use-1, use-2, use-9: a list says what it does not understand, who reaches everything, and which lines are wrong', async ({
  page,
  served,
}) => {
  await signIn(page, served)
  await page.goto(`${served.url}/settings/users/import`)
  const list = page.getByLabel('List')
  await list.fill('Benutzername;Ordner;Gruppen;Abteilung\nKim;;;Vertrieb\nall;/;;\nLee;;Nowhere;\nAnn;"x;;')
  await expect(page.getByText('These columns were not understood: Abteilung')).toBeVisible()
  await page.getByRole('button', { name: 'Check the list' }).click()
  const line = (name: RegExp) => page.getByRole('row', { name })
  await expect(line(/^Kim/)).toContainText('/users/Kim')
  await expect(page.getByText('1 person will see every file that is served here')).toBeVisible()
  await expect(line(/^Lee/)).toContainText('There is no group “Nowhere”.')
  await expect(line(/^Ann/)).toContainText('The quotation marks of this line do not match')
  await expectAccessible(page, 'a checked list with mistakes')
  await page.getByRole('button', { name: 'Create 2 accounts' }).click()
  await expect(page.getByRole('list', { name: 'Result' })).toContainText('2 accounts created')
  // use-20: what was refused stays.
  await expect(line(/^Lee/)).toContainText('There is no group “Nowhere”.')
})

test('use2-5: more people than a page shows are selected together', async ({ page, served }) => {
  await signIn(page, served)
  await page.goto(`${served.url}/settings/users/import`)
  await page.getByLabel('List').fill(['name', ...Array.from({ length: 110 }, (_, at) => `person ${at}`)].join('\n'))
  await page.getByRole('button', { name: 'Check the list' }).click()
  await page.getByRole('button', { name: 'Create 110 accounts' }).click()
  await expect(page.getByRole('list', { name: 'Result' })).toContainText('110 accounts created', { timeout: 60_000 })
  await page.getByRole('link', { name: 'All users' }).click()
  await page.getByLabel('Find by name, folder or mail address').fill('person')
  await expect(page.getByText('110 users found')).toBeVisible()
  await page.getByLabel('Select all shown').press('Space')
  await expect(page.getByRole('group', { name: '100 selected' })).toBeVisible()
  await page.getByRole('button', { name: 'Select all 110' }).click()
  await expect(page.getByRole('group', { name: '110 selected' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Select all 110' })).toHaveCount(0)
})

test('on a phone, in Arabic, users are found and selected', async ({ served, elsewhere }) => {
  const t = wordsOf('ar')
  const phone = await elsewhere({ viewport: { width: 390, height: 844 }, locale: 'ar' })
  await signIn(phone, served)
  await phone.goto(`${served.url}/settings/users`)
  await phone.getByLabel(t('users.find')).fill('reader')
  await expect(phone.getByRole('row').filter({ hasText: 'admin' })).toHaveCount(0)
  await phone.getByLabel(t('users.select', { name: 'reader' })).click()
  await expect(phone.getByRole('button', { name: t('users.disable') })).toBeVisible()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await expectAccessible(phone, 'users in Arabic')
  await phone.goto(`${served.url}/settings/users/import`)
  await expect(phone.getByRole('heading', { name: t('import.title') })).toBeVisible()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await expectAccessible(phone, 'import in Arabic')
})

async function prove(page: Page): Promise<void> {
  const asked = page.getByRole('dialog').getByLabel('Current password')
  const form = page.getByRole('form', { name: 'Team' })
  await expect(asked.or(form).first()).toBeVisible()
  if (!(await asked.isVisible())) return
  await asked.fill(PASSWORD)
  await page.keyboard.press('Enter')
}

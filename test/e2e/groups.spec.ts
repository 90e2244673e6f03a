import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { dialog, row } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, PASSWORD, signIn, test } from './served.ts'
import { wordsOf } from './words.ts'

test('an administrator makes a group and gives it a role on a folder; its member is offered what works there, and no more', async ({
  page,
  served,
  elsewhere,
}) => {
  await served.write('docs/plan.txt', 'plan')
  await served.write('other.txt', 'other')
  await signIn(page, served)
  await page.goto(`${served.url}/settings/groups`)
  await expect(page.getByText('There are no groups yet.')).toBeVisible()
  await page.getByLabel('Name').fill('Writers')
  await page.keyboard.press('Enter')
  await prove(page)
  const form = page.getByRole('form', { name: 'Writers' })
  await form.getByLabel('Add a person').selectOption({ label: 'reader' })
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(form.getByRole('list', { name: 'Members' })).toContainText('reader')
  await expectAccessible(page, 'a group')
  await page.getByRole('link', { name: 'All groups' }).click()
  await expect(page.getByRole('row', { name: /Writers/ })).toContainText('1')

  await page.goto(`${served.url}/files/`)
  await row(page, 'docs').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Access…' }).click()
  const access = dialog(page, 'Access to “docs”')
  await expect(access.getByText('Nobody has a role here.', { exact: false })).toBeVisible()
  await access.getByLabel('Person or group').selectOption({ label: 'Writers (group)' })
  await access.getByLabel('Role', { exact: true }).selectOption({ label: 'Editor' })
  await expect(access.getByText('The rights of 1 person would change here:')).toBeVisible()
  await expect(access.getByText(/^reader: from “.*” to “Editor”$/)).toBeVisible()
  await access.getByRole('button', { name: 'Add' }).click()
  await expect(access.getByLabel('Role of Writers (group)')).toHaveValue('editor')
  await access.locator('summary').press('Enter')
  const reader = access.getByRole('list', { name: 'Who can reach this' }).getByRole('listitem').filter({ hasText: 'reader' })
  await expect(reader).toContainText('Editor')
  await expect(reader).toContainText('The role counts that was given on /docs – Writers (group)')
  await access.getByLabel('Show', { exact: true }).selectOption('People who cannot')
  await expect(access.getByText('No users match')).toBeVisible()
  await expectAccessible(page, 'access to a folder')
  await page.keyboard.press('Escape')

  const members = await elsewhere()
  await signIn(members, served, '/files/docs/', 'reader')
  expect(await entriesOf(members, row(members, 'plan.txt'))).toContain('Rename')
  await members.goto(`${served.url}/files/`)
  expect(await entriesOf(members, row(members, 'other.txt'))).not.toContain('Rename')

  await page.goto(`${served.url}/files/`)
  await row(page, 'docs').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Access…' }).click()
  await access.getByRole('button', { name: 'Remove Writers (group)' }).click()
  await expect(access.getByText('Nobody has a role here.', { exact: false })).toBeVisible()
  await members.goto(`${served.url}/files/docs/`)
  expect(await entriesOf(members, row(members, 'plan.txt'))).not.toContain('Rename')
})

test('a person’s groups are set in their form, and a group is deleted with what it gave', async ({ page, served }) => {
  await signIn(page, served)
  await page.goto(`${served.url}/settings/groups`)
  await page.getByLabel('Name').fill('Team')
  await page.getByRole('button', { name: 'New group' }).click()
  await prove(page)
  await expect(page.getByRole('form', { name: 'Team' })).toBeVisible()
  await page.goto(`${served.url}/settings/users`)
  await page.getByRole('link', { name: 'clerk', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Team' }).click()
  await dialog(page, 'Add to group: Team').getByRole('button', { name: 'Add to group' }).click()
  await expect(page.getByRole('checkbox', { name: 'Team' })).toBeChecked()
  await page.goto(`${served.url}/settings/groups`)
  await page.getByRole('link', { name: 'Team' }).click()
  await expect(page.getByRole('list', { name: 'Members' })).toContainText('clerk')
  await page.getByRole('button', { name: 'Delete group' }).click()
  await dialog(page, 'Delete the group “Team”?').getByRole('button', { name: 'Delete group' }).click()
  await expectNotice(page, 'Group deleted')
  await expect(page.getByText('There are no groups yet.')).toBeVisible()
})

test('on a phone, in Arabic, access to a folder is given by the keyboard alone', async ({ page, served, elsewhere }) => {
  const t = wordsOf('ar')
  await served.write('docs/plan.txt', 'plan')
  await signIn(page, served)
  const phone = await elsewhere({ viewport: { width: 390, height: 844 }, locale: 'ar' })
  await signIn(phone, served)
  await phone.getByRole('row').filter({ hasText: 'docs' }).focus()
  await phone.keyboard.press('Shift+F10')
  await phone.getByRole('menuitem', { name: t('files.action.access') }).click()
  const access = phone.getByRole('dialog', { name: t('access.title', { name: 'docs' }) })
  await access.getByLabel(t('access.who')).focus()
  await phone.keyboard.press('ArrowDown')
  await access.getByRole('button', { name: t('access.add'), exact: true }).press('Enter')
  await expect(access.getByLabel(t('access.role-of', { name: t('access.everybody') }))).toHaveValue('viewer')
  await access.getByText(t('reach.title')).click()
  await expect(access.getByText(t('reach.by.admin'))).toBeVisible()
  await fits(phone)
  await expectAccessible(phone, 'access in Arabic')
  await phone.keyboard.press('Escape')
  await phone.goto(`${served.url}/settings/groups`)
  await expect(phone.getByRole('heading', { name: t('groups.title') })).toBeVisible()
  await fits(phone)
  await expectAccessible(phone, 'groups in Arabic')
})

/** Confirms with the password if that is asked for. */
async function prove(page: Page): Promise<void> {
  const asked = page.getByRole('dialog').getByLabel('Current password')
  const form = page.getByRole('form', { name: /Writers|Team/ })
  await expect(asked.or(form).first()).toBeVisible()
  if (!(await asked.isVisible())) return
  await asked.fill(PASSWORD)
  await page.keyboard.press('Enter')
}

async function entriesOf(page: Page, entry: Locator): Promise<string[]> {
  await entry.click({ button: 'right' })
  // The menu is loaded when it is opened for the first time.
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  const names = await page.getByRole('menuitem').allTextContents()
  await page.keyboard.press('Escape')
  return names.map((name) => name.replace(/F2$/, '').trim())
}

async function fits(page: Page): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wide).toBeLessThanOrEqual(0)
}

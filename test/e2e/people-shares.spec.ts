import { expectAccessible } from './axe.ts'
import { dialog, row } from './listing.ts'
import { expect, signIn, test } from './served.ts'

test('a folder is shared with a person by keyboard, who finds it under Shared with me, works in it, and loses it', async ({
  page,
  served,
  elsewhere,
  complaints,
}) => {
  await served.write('docs/plan.txt', 'plan')
  await served.write('other.txt', 'other')
  const reader = await elsewhere()
  await signIn(reader, served, '/files/', 'reader')
  await expect(row(reader, 'docs')).toBeVisible()

  await signIn(page, served)
  await row(page, 'docs').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Share', exact: true }).click()
  const share = dialog(page, 'Share “docs”')
  await share.getByRole('tab', { name: 'Links' }).focus()
  await page.keyboard.press('ArrowRight')
  await share.getByLabel('Person or group').fill('rea')
  await expect(share.getByRole('list', { name: 'People and groups found' }).getByRole('button')).toHaveText(['reader'])
  await expectAccessible(page, 'finding somebody to share with')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await share.getByLabel('Role', { exact: true }).selectOption({ label: 'Editor' })
  await share.getByText('More options').click()
  await share.getByLabel('Message').fill('Please read')
  await share.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(share.getByRole('list', { name: 'Shared with' })).toContainText('reader')
  await expectAccessible(page, 'with whom a folder is shared')

  // The open page of the other is told of it.
  await expect(reader.getByText('admin shares “docs” with you')).toBeVisible()
  const link = reader.getByRole('link', { name: /Shared with me/ })
  await expect(link).toContainText('1')
  await link.click()
  const list = reader.getByRole('list', { name: 'Shared with me' })
  await expect(list).toContainText('Shared by admin · Editor')
  await expect(list).toContainText('Please read')
  await expect(link.locator('[data-part=badge]')).toHaveCount(0)

  // Again with the same person: it begins with what they have.
  await share.getByLabel('Person or group').fill('rea')
  await share.getByRole('list', { name: 'People and groups found' }).getByRole('button', { name: 'reader Editor' }).click()
  await expect(share.getByLabel('Role', { exact: true })).toHaveValue('editor')
  await expect(share.getByLabel('Message')).toHaveValue('Please read')
  await share.getByLabel('Message').fill('Until Friday')
  await share.getByText('In 1 week').click()
  await share.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(share.getByRole('list', { name: 'Shared with' }).getByRole('listitem')).toHaveText(/reader.*Expires in .*Until Friday/)
  // Only folders have a stream that tells of changes.
  await reader.reload()
  await expect(list).toContainText('Until Friday')
  await expectAccessible(reader, 'Shared with me')
  await list.getByRole('link', { name: /docs/ }).click()
  await expect(row(reader, 'plan.txt')).toBeVisible()
  await expect(row(reader, 'other.txt')).toHaveCount(0)
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('docs')
  await expect(reader.getByRole('navigation', { name: 'Main' })).toContainText('Shared by admin')
  await expectAccessible(reader, 'a shared folder')

  await row(reader, 'plan.txt').click({ button: 'right' })
  await expect(reader.getByRole('menuitem', { name: 'Share', exact: true })).toHaveCount(0)
  await reader.getByRole('menuitem', { name: 'Rename' }).click()
  await dialog(reader, 'Rename').getByRole('textbox').fill('plans.txt')
  await reader.keyboard.press('Enter')
  await expect(row(reader, 'plans.txt')).toBeVisible()
  await reader.reload()
  await expect(row(reader, 'plans.txt')).toBeVisible()
  await reader.keyboard.press('Control+z')
  await expect(row(reader, 'plan.txt')).toBeVisible()
  await reader.keyboard.press('Control+Shift+z')
  await expect(row(reader, 'plans.txt')).toBeVisible()

  complaints.foresee(/404/)
  await share.getByRole('button', { name: 'Stop sharing with reader' }).click()
  await expect(share.getByText('Not shared with anybody yet.')).toBeVisible()
  await reader.reload()
  await expect(row(reader, 'plans.txt')).toHaveCount(0)
  await reader.getByRole('link', { name: 'Shared with me' }).click()
  await expect(reader.getByText('Nothing is shared with you yet')).toBeVisible()
})

test('Shared with me and the dialog fit a phone and read from right to left', async ({ page, served, elsewhere }) => {
  await served.write('docs/plan.txt', 'plan')
  await signIn(page, served)
  const id = await page.evaluate(async () => {
    const headers = { 'x-auth': localStorage.getItem('jwt') ?? '' }
    const people: { id: number; name: string }[] = await (await fetch('/api/recipients?text=reader', { headers })).json()
    const body = JSON.stringify({ who: { kind: 'user', id: people[0]?.id }, role: 'contributor', message: 'Bitte' })
    return (await (await fetch('/api/people-share/docs', { method: 'POST', headers, body })).json()).id as string
  })
  const reader = await elsewhere({ viewport: { width: 390, height: 800 }, locale: 'ar' })
  await reader.addInitScript(() => localStorage.setItem('theme', 'dark'))
  await signIn(reader, served, '/files/', 'reader')
  await reader.goto(`${served.url}/with-me`)
  await expect(reader.locator('[data-part=with-me] li')).toHaveCount(1)
  await expectAccessible(reader, 'Shared with me on a phone')
  await reader.goto(`${served.url}/with-me/${id}/files/`)
  // The names of the buttons are in Arabic.
  await expect(reader.getByRole('row').getByRole('link', { name: 'plan.txt' })).toBeVisible()
  await expectAccessible(reader, 'a shared folder on a phone')
  expect(await reader.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await reader.goto(`${served.url}/with-me/${id}/settings`)
  await expect(reader).toHaveURL(`${served.url}/settings/profile`)
})

import { expectAccessible } from './axe.ts'
import { dialog, row, fillName } from './listing.ts'
import { expectNotice } from './notices.ts'
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
  // use-8: it says so, and the next person begins with the least.
  await expect(share.getByText('Shared with reader')).toBeVisible()
  await expect(share.getByLabel('Role', { exact: true })).toHaveValue('viewer')
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
  await expect(share.getByRole('list', { name: 'People and groups found' }).getByRole('button')).toHaveText(/reader.*Editor/)
  // use-8: the line of the list leads to the same.
  await share.getByRole('button', { name: 'Change sharing with reader' }).click()
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
  await fillName(dialog(reader, 'Rename'), 'plans.txt')
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
  // use-7: it asks first.
  await dialog(page, 'Stop sharing with reader?').getByRole('button', { name: 'Stop sharing' }).click()
  await expect(share.getByText('Not shared with anybody yet.')).toBeVisible()
  await expect(share.getByText('No longer shared with reader')).toBeVisible()
  // use-4: the open page says it, and leads out.
  await expect(reader.getByText('admin no longer shares this with you')).toBeVisible()
  await expect(row(reader, 'plans.txt')).toHaveCount(0)
  await expectAccessible(reader, 'a share that was taken back')
  await reader.reload()
  await expect(reader.getByText('This is no longer shared with you')).toBeVisible()
  await expect(reader.getByRole('banner').getByRole('link', { name: /home/i })).toHaveAttribute('href', /^\/files\/$/)
  await reader.getByRole('main').getByRole('link', { name: 'Shared with me' }).click()
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

test('use-3, use-7: an entry shared with a person counts as shared, and its recipient leaves after a question', async ({
  page,
  served,
  elsewhere,
}) => {
  await served.write('docs/plan.txt', 'plan')
  await signIn(page, served)
  await page.evaluate(async () => {
    const headers = { 'x-auth': localStorage.getItem('jwt') ?? '' }
    const people: { id: number; name: string }[] = await (await fetch('/api/recipients?text=reader', { headers })).json()
    const body = JSON.stringify({ who: { kind: 'user', id: people[0]?.id }, role: 'viewer' })
    await fetch('/api/people-share/docs', { method: 'POST', headers, body })
  })
  await page.reload()
  await expect(row(page, 'docs')).toContainText('Shared')
  await row(page, 'docs').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Details' }).click()
  const details = page.locator('[data-part=details]')
  await expect(details).toContainText('Shared with reader')
  await details.getByRole('button', { name: 'Show', exact: true }).click()
  const share = dialog(page, 'Share “docs”')
  await expect(share.getByRole('tab', { name: 'People' })).toHaveAttribute('aria-selected', 'true')

  const reader = await elsewhere()
  await signIn(reader, served, '/files/', 'reader')
  await reader.getByRole('link', { name: /Shared with me/ }).click()
  const leave = reader.getByRole('button', { name: 'Leave “docs”' })
  await leave.click()
  const question = dialog(reader, 'Leave “docs”?')
  await expectAccessible(reader, 'leaving a share')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(leave).toBeFocused()
  await leave.click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expectNotice(reader, 'You left “docs”')
  await expect(reader.getByText('Nothing is shared with you yet')).toBeVisible()
  await expect.poll(() => reader.evaluate(() => document.activeElement === document.body)).toBe(false)
})

import { startMailServer } from '../mail-server.ts'
import { expectAccessible } from './axe.ts'
import { dialog, row } from './listing.ts'
import { expect, signIn, signInByForm, test } from './served.ts'

/** Those that the settings accept. */
const PORTS = [2587, 2465, 2525, 1025]

test('somebody chooses what they are told by mail, and is told of a new device', async ({ page, served, elsewhere }) => {
  await using server = await startMailServer({ ports: PORTS })
  await signIn(page, served)
  await page.goto(`${served.url}/settings/mail`)
  const form = page.getByRole('form', { name: 'Mail' })
  await form.getByRole('textbox', { name: 'Server' }).fill('127.0.0.1')
  await form.getByLabel('Port').fill(String(server.port))
  await form.getByLabel('Encryption').selectOption('none')
  await form.getByLabel('Sender address').fill('files@example.org')
  await form.getByRole('switch', { name: /Tell administrators/ }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Mail server saved')).toBeVisible()
  await page.goto(`${served.url}/settings/profile`)
  const choices = page.locator('[data-part=card]', { has: page.getByRole('heading', { name: 'Messages by mail' }) })
  // Nobody can be told anything without an address.
  await expect(page.getByLabel('Mail address')).toBeVisible()
  await expect(choices).toHaveCount(0)
  await page.getByLabel('Mail address').fill('admin@example.org')
  await page.getByRole('button', { name: 'Save address' }).click()
  await expect(choices.getByRole('switch')).toHaveCount(5)
  const people = choices.getByRole('switch', { name: 'New files from people I share with' })
  const device = choices.getByRole('switch', { name: 'Sign-in from a new device' })
  await expect(people).not.toBeChecked()
  await expect(device).toBeChecked()
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/mail/notices') && response.request().method() === 'PUT')
  await people.click()
  expect((await saved).status()).toBe(200)
  await page.reload()
  await expect(people).toBeChecked()
  await expectAccessible(page, 'what one is told by mail')

  // The first sign-in since mail is sent is not told; the next one, in a browser that says it is another, is.
  const first = await elsewhere()
  await signInByForm(first, served, '/files/')
  const other = await elsewhere({ userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0' })
  await signInByForm(other, served, '/files/')
  await expect.poll(() => server.arrived.length).toBe(1)
  const [mail] = server.arrived
  expect(mail?.subject).toContain('New sign-in')
  expect(mail?.text).toContain('Firefox · Windows')
  await other.goto(/Show devices:\s+(\S+)/.exec(mail?.text ?? '')?.[1] ?? '')
  await expect(other.getByRole('list', { name: 'Signed in on' }).getByText('Firefox on Windows')).toBeInViewport()
})

test('the open list of what is shared with somebody follows its owner; a share bears its name everywhere', async ({
  page,
  served,
  elsewhere,
}) => {
  await served.write('docs/plan.txt', 'plan')
  await served.write('docs/deep/planned.txt', 'plan')
  const reader = await elsewhere()
  await signIn(reader, served, '/files/', 'reader')
  await reader.getByRole('link', { name: /Shared with me/ }).click()
  await expect(reader.getByText('Nothing is shared with you yet')).toBeVisible()

  await signIn(page, served)
  await row(page, 'docs').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Share', exact: true }).click()
  const share = dialog(page, 'Share “docs”')
  await share.getByRole('tab', { name: 'People' }).click()
  const choose = async () => {
    await share.getByLabel('Person or group').fill('rea')
    await share
      .getByRole('list', { name: 'People and groups found' })
      .getByRole('button', { name: /^reader/ })
      .click()
  }
  await choose()
  // Nothing is set yet.
  await expect(share.getByLabel('Message')).toBeHidden()
  await share.getByText('More options').click()
  await share.getByLabel('Message').fill('Please read')
  await share.getByRole('button', { name: 'Share', exact: true }).click()
  const list = reader.getByRole('list', { name: 'Shared with me' })
  await expect(list).toContainText('Please read')

  // What is set is in sight when the share is changed.
  await choose()
  await expect(share.getByLabel('Message')).toHaveValue('Please read')
  await expect(share.getByLabel('Message')).toBeVisible()
  await share.getByLabel('Message').fill('Until Friday')
  await share.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(list).toContainText('Until Friday')

  await list.getByRole('link', { name: /docs/ }).click()
  await expect(row(reader, 'plan.txt')).toBeVisible()
  await reader.keyboard.press('Control+f')
  await reader.getByRole('textbox', { name: /^Search by name/ }).fill('plan')
  await expect(reader.locator('[data-path="/plan.txt"]')).toContainText('docs')
  await expect(reader.locator('[data-path="/deep/planned.txt"]')).toContainText('deep')
  await expect(reader.getByText('My files', { exact: true })).toHaveCount(1)
  await reader.keyboard.press('Escape')
  await expect(reader.getByRole('navigation', { name: 'Path' })).toContainText('docs')
  await reader.goto(`${served.url}/with-me`)
  await expect(list).toContainText('Until Friday')

  await share.getByRole('button', { name: 'Stop sharing with reader' }).click()
  await dialog(page, 'Stop sharing with reader?').getByRole('button', { name: 'Stop sharing' }).click()
  await expect(reader.getByText('Nothing is shared with you yet')).toBeVisible()
})

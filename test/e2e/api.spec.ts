import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './served.ts'

test('somebody finds a call, reads it, sends it by keyboard and copies it for a terminal', async ({ page, served }) => {
  await signIn(page, served)
  await page.goto(`${served.url}/settings/profile`)
  await page.getByRole('link', { name: 'Calls of the API' }).click()
  await expect(page.getByRole('heading', { name: 'API', exact: true })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Find a call' }).fill('new folder or upload')
  await page.getByRole('searchbox', { name: 'Find a call' }).fill('get /api/usage')
  await expect(page.getByRole('status').filter({ hasText: /^1 call$/ })).toBeVisible()
  await page.locator('summary').filter({ hasText: '/api/usage' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Send' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/Status 200/)).toBeVisible()
  await expect(page.getByRole('region', { name: /Status 200/ })).toContainText('"total"')
  await expectAccessible(page, 'a call of the API')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`curl -X GET '${served.url}/api/usage/'`)
})

test('a call with a body creates a folder; a required value is asked for; an error is shown as it is', async ({
  page,
  served,
  complaints,
}) => {
  complaints.foresee(/status of 40/)
  await signIn(page, served)
  await page.goto(`${served.url}/settings/api`)
  await page.getByRole('searchbox').fill('POST /api/groups')
  await expect(page.getByRole('status').filter({ hasText: /^1 call$/ })).toBeVisible()
  await page.locator('summary').filter({ hasText: 'POST' }).first().click()
  const body = page.getByRole('textbox', { name: /^Body/ })
  await expect(body).toHaveValue(/"name": ""/)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText(/Status 400/)).toBeVisible()
  await body.fill('{"name":"Colleagues"}')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText(/Status 200/)).toBeVisible()
  await page.getByRole('searchbox').fill('PUT /api/groups')
  await page.locator('summary').filter({ hasText: '/api/groups/{id}' }).first().click()
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Enter a value').first()).toBeVisible()
})

test.describe('on a phone, in Arabic', () => {
  test.use({ locale: 'ar', viewport: { width: 390, height: 844 } })
  test('the reference fits', async ({ page, served }) => {
    await signIn(page, served)
    await page.goto(`${served.url}/settings/api`)
    await page.getByRole('searchbox').fill('resources')
    await page.locator('summary').filter({ hasText: '/api/resources/{path}' }).first().click()
    await expect(page.locator('[data-part=api] form')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await expectAccessible(page, 'the calls in Arabic')
  })
})

import { row } from './listing.ts'
import { expect, PASSWORD, signInByForm, test } from './served.ts'

test('wrong data says so and keeps the user name', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 403.*\/api\/login/)
  await page.goto(served.url)
  // As password managers look for them.
  await expect(page.getByLabel('Username')).toHaveAttribute('autocomplete', 'username')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('autocomplete', 'current-password')
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill('not it')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('Wrong credentials')
  await expect(page.getByLabel('Username')).toHaveValue('admin')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${served.url}/files/`)
})

test('a visitor is sent to sign in and then to the odd place they asked for', async ({ page, served }) => {
  await served.write('100% a+b?#é/note ü.txt', 'hello')
  const place = `/files/${encodeURIComponent('100% a+b?#é')}/${encodeURIComponent('note ü.txt')}`
  await page.goto(served.url + place)
  await expect(page).toHaveURL(`${served.url}/login?redirect=${encodeURIComponent(place)}`)
  await expect(page).toHaveTitle('Login')
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('textbox', { name: 'note ü.txt' })).toContainText('hello')
  await expect(page).toHaveURL(served.url + place)
  await expect(page).toHaveTitle('note ü.txt - Files')
})

test('who is signed in is led from the sign-in page to the files, and stays so after a reload', async ({ page, served }) => {
  await signInByForm(page, served)
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await expect(page).toHaveTitle('Files')
  await page.goto(`${served.url}/login`)
  await expect(page).toHaveURL(`${served.url}/files/`)
  await page.reload()
  await expect(page.getByText('This folder is empty')).toBeVisible()
})

test('a redirect to another site is not followed (A4-1)', async ({ page, served }) => {
  await signInByForm(page, served, `/login?redirect=${encodeURIComponent('//elsewhere.invalid/x')}`)
  await expect(page).toHaveURL(`${served.url}/files/`)
})

test('unknown places lead into the files, and Back does not loop', async ({ page, served }) => {
  await served.write('docs/a.txt', 'a')
  await signInByForm(page, served)
  await row(page, 'docs').dblclick()
  await expect(page).toHaveURL(`${served.url}/files/docs/`)
  await page.goto(`${served.url}/docs`)
  await expect(page).toHaveURL(/\/files\/docs\/?$/)
  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL(`${served.url}/files/`)
})

test('signing out ends the session for good', async ({ page, served, playwright }) => {
  const read = page.waitForResponse(`${served.url}/api/places`)
  await signInByForm(page, served)
  await read
  // What is still on its way when one leaves would be refused.
  await expect(page.getByText('This folder is empty')).toBeVisible()
  const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
  const cookies = await page.context().cookies()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(`${served.url}/login`)
  expect(await page.evaluate(() => localStorage.getItem('jwt'))).toBeNull()
  const thief = await playwright.request.newContext({
    extraHTTPHeaders: { 'x-auth': token, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
  })
  expect((await thief.get(`${served.url}/api/resources/`)).status()).toBe(401)
  await thief.dispose()
  await page.goto(`${served.url}/files/`)
  await expect(page).toHaveURL(/\/login/)
})

test('a token that is no token is a warning in the console, and signed out', async ({ page, served }) => {
  const warned = page.waitForEvent('console', (message) => message.type() === 'warning' && /no longer valid/.test(message.text()))
  await page.goto(`${served.url}/login`)
  await page.evaluate(() => localStorage.setItem('jwt', 'only.two'))
  await page.reload()
  await warned
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})

test('a session that ends on the server asks to sign in again and comes back', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 401|ERR_FAILED.*api\/live/)
  await served.write('docs/a.txt', 'a')
  // A folder that is followed would notice before anybody opens anything.
  await page.route('**/api/live/**', (route) => route.abort())
  await signInByForm(page, served)
  await expect(row(page, 'docs')).toBeVisible()
  await page.context().clearCookies()
  await row(page, 'docs').dblclick()
  await expect(page.getByText('Your session has ended. Sign in to go on.')).toBeVisible()
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(row(page, 'a.txt')).toBeVisible()
})

import { row } from './listing.ts'
import { expect, signIn, test } from './served.ts'

test('the page blocks foreign scripts and framing, and renders text without markup (R6)', async ({ page, served, complaints }) => {
  complaints.foresee(/require-trusted-types-for|requires 'TrustedHTML'/)
  const answer = await page.goto(`${served.url}/login`)
  const policy = answer?.headers()['content-security-policy'] ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  const made = await page.evaluate(() => {
    const place = document.createElement('div')
    try {
      place.innerHTML = '<img>'
    } catch {
      return 'refused'
    }
    return place.innerHTML
  })
  expect(made).toBe('refused')
})

test('a token copied from the browser is useless without its cookie (R7)', async ({ page, served, playwright }) => {
  await signIn(page, served)
  const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
  expect(token.split('.').length).toBe(3)
  const thief = await playwright.request.newContext({ extraHTTPHeaders: { 'x-auth': token } })
  expect((await thief.get(`${served.url}/api/resources/`)).status()).toBe(401)
  expect((await thief.get(`${served.url}/api/raw/a.txt?auth=${token}`)).status()).toBe(401)
  await thief.dispose()
  expect(await page.evaluate(() => document.cookie)).toBe('')
})

test('an HTML file is previewed as text, and runs no scripts when opened directly', async ({ page, served, complaints }) => {
  // A picture of so few bytes without a size is refused one (413).
  complaints.foresee(/Blocked script execution|Refused to execute|Content Security Policy|The policy forbade|status of 413/)
  await served.write('evil.html', '<title>quiet</title><script>document.title = "ran"; localStorage.setItem("stolen", "1")</script>')
  await served.write('evil.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>document.documentElement.id = "ran"</script></svg>')
  await signIn(page, served)
  await row(page, 'evil.html').dblclick()
  await expect(page.getByRole('textbox', { name: 'evil.html' })).toContainText('<script>')
  await page.goto(`${served.url}/api/raw/evil.html?inline=true`)
  await expect(page).toHaveTitle('quiet')
  await page.goto(`${served.url}/api/raw/evil.svg?inline=true`)
  expect(await page.evaluate(() => document.documentElement.id)).toBe('')
  await page.goto(`${served.url}/files/`)
  await expect(row(page, 'evil.svg')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('stolen'))).toBeNull()
})

test('a name with markup or bidirectional control characters is shown as text (CVE-2026-61504, A4-12)', async ({ page, served }) => {
  await served.write('<img src=x onerror=alert(1)>.txt', 'a')
  await served.write('invoice\u202Etxt.exe', 'b')
  await signIn(page, served)
  await expect(row(page, '<img src=x onerror=alert(1)>.txt')).toBeVisible()
  await expect(row(page, 'invoice\\u202Etxt.exe')).toContainText('invoice\\u202E')
  await row(page, 'invoice\\u202Etxt.exe').click()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('dialog', { name: 'Delete “invoice\\u202Etxt.exe”?' })).toBeVisible()
  await page.keyboard.press('Escape')
  await row(page, 'invoice\\u202Etxt.exe').dblclick()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('invoice\\u202Etxt.exe')
})

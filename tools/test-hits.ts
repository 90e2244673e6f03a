import { type Browser, chromium } from '@playwright/test'
import { LANGUAGES, type Language } from '../src/shared/languages.ts'
import { crowd, problemsAt } from '../test/e2e/hits.ts'
import { createHost } from '../test/e2e/host.ts'
import { makeAccounts, makePeople, PASSWORD, type Served, withServer } from '../test/e2e/server.ts'

/**
 * Every action of every bar, tray, notice and form in every language and at five widths, while uploads and a notice are on show: a failure for
 * each that cannot be pressed at its middle. `bun tools/test-hits.ts [code…]`, after a build.
 */
const wanted = process.argv.slice(2)
const languages = LANGUAGES.filter(({ code }) => wanted.length === 0 || wanted.includes(code))
await using host = createHost()
const people = await makePeople(host, await makeAccounts())
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
let found = 0
try {
  await withServer({ host, people, settings: undefined, options: [] }, async (served) => {
    for (const name of ['docs/a.txt', 'a.txt', 'b.txt', 'c.zip']) await served.write(name, name)
    for (const language of languages) {
      const problems = await look(browser, language, served)
      console.log(`${language.code}: ${problems.length === 0 ? 'everything can be pressed' : ''}`)
      for (const problem of problems) console.error(`  ${problem}`)
      found += problems.length
    }
  })
} finally {
  await browser.close()
}
process.exitCode = found === 0 ? 0 : 1

async function look(on: Browser, { tag }: Language, served: Served): Promise<string[]> {
  const context = await on.newContext({
    viewport: { width: 1280, height: 800 },
    locale: tag,
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(`${served.url}/login`)
  await page.locator('input[name=username]').fill('admin')
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('button[type=submit]').click()
  await page.waitForURL('**/files/')
  await crowd(page, served)
  const problems = await problemsAt(page, 'everything selected')
  await page.keyboard.press('Escape')
  await page.locator('[data-item]').nth(1).click()
  problems.push(...(await problemsAt(page, 'one selected')))
  for (const place of ['/settings/users/new', '/settings/global', '/settings/profile']) {
    await page.goto(served.url + place)
    await page.locator('form').first().waitFor()
    problems.push(...(await problemsAt(page, place)))
  }
  await context.close()
  return problems
}

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { LANGUAGES, type Language } from '../src/web/i18n/languages.ts'
import { createHost } from '../test/e2e/host.ts'
import { share } from '../test/e2e/links.ts'
import { PNG } from '../test/e2e/samples.ts'
import { makeAccounts, makePeople, PASSWORD, type Served, withServer } from '../test/e2e/server.ts'
import { readCatalogue } from './check-messages.ts'
import { flawsOf, untranslated, wordsOf } from './languages/inspect.ts'
import { grow, type Links, LONG_NAME, PHONE_ONLY, SIGNED_IN, SIGNED_OUT, TALL, type Tour } from './languages/screens.ts'

/**
 * Every screen in every language: pictures into test-results/languages, and a failure for what sticks out sideways, is cut off, is still English
 * or runs in the wrong direction. `bun scripts/test-languages.ts [--desktop] [code…]`, after a build; on a phone where not told otherwise.
 * Pictures of other languages and of the other width stay.
 */
const PICTURES = join(import.meta.dir, '../test-results/languages')
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 900 }

/** Screens that are longer than a window. */
const LONG = /^settings-|^share-|^files-info$/

const wanted = process.argv.slice(2).filter((one) => !one.startsWith('--'))
const size = process.argv.includes('--desktop') ? DESKTOP : PHONE
const languages = LANGUAGES.filter(({ code }) => wanted.length === 0 || wanted.includes(code))
await using host = createHost()
const people = await makePeople(host, await makeAccounts())
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
let found = 0
try {
  const settings = { signup: true, branding: { name: 'Satchel' } }
  await withServer({ host, people, settings, options: ['--disableExec=false'] }, async (served) => {
    const links = await plant(served)
    for (const language of languages) {
      const { seen, problems } = await see(browser, language, { served, links })
      console.log(`${language.code}: ${seen} screens`)
      for (const problem of problems) console.error(problem)
      found += problems.length
    }
  })
} finally {
  await browser.close()
}
process.exitCode = found === 0 ? 0 : 1

interface Instance {
  readonly served: Served
  readonly links: Links
}

/** All screens of one language. A tour ends at a screen that could not be reached. */
async function see(on: Browser, language: Language, { served, links }: Instance): Promise<{ seen: number; problems: string[] }> {
  const { code, tag } = language
  const folder = join(PICTURES, size === PHONE ? code : `${code}-desktop`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const own = readCatalogue(code)
  const flawsIn = lookFor(language)
  const problems: string[] = []
  let seen = 0
  const context = await on.newContext({ viewport: size, locale: tag, serviceWorkers: 'block', reducedMotion: 'reduce' })
  async function walk(tours: readonly Tour[]): Promise<void> {
    for (const tour of tours) {
      const page = await context.newPage()
      page.setDefaultTimeout(10_000)
      // Whoever leaves with unsaved words is let go.
      page.on('dialog', (asked) => void asked.accept())
      for (const [name, go] of Object.entries(tour)) {
        const picture = { path: join(folder, `${name}.png`) }
        try {
          await go({ page, served, links, say: (key) => own[key] ?? key })
          if (LONG.test(name)) await grow(page, TALL)
          problems.push(...(await flawsIn(page)).map((what) => `${code} ${name}: ${what}`))
          await page.screenshot(picture)
          if (LONG.test(name)) await grow(page, size.height)
          seen++
        } catch (error) {
          problems.push(`${code} ${name}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`)
          await page.screenshot(picture)
          break
        }
      }
      await page.close()
    }
  }
  await walk(SIGNED_OUT)
  await signIn(await context.newPage(), served)
  await walk(size === PHONE ? [...SIGNED_IN, ...PHONE_ONLY] : SIGNED_IN)
  await context.close()
  return { seen, problems }
}

function lookFor({ code, dir }: Language): (page: Page) => Promise<string[]> {
  const isEnglish = untranslated(readCatalogue('en'), readCatalogue(code))
  return async (page) => {
    const words = code === 'en' ? [] : (await page.evaluate(wordsOf)).filter(isEnglish)
    return [...(await page.evaluate(flawsOf, { dir })), ...new Set(words.map((text) => `still English: “${text}”`))]
  }
}

async function signIn(page: Page, { url }: Served): Promise<void> {
  await page.goto(`${url}/login`)
  await page.locator('input[name=username]').fill('admin')
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('button[type=submit]').click()
  await page.waitForURL('**/files/')
  await page.close()
}

async function plant(served: Served): Promise<Links> {
  await served.write('photo.png', PNG)
  await served.write('broken.png', 'no picture')
  await served.write('plan.txt', 'a plan\n')
  await served.write('table.csv', 'name,size\na,1\nb,2\n')
  await served.write('docs/inside.txt', 'a text\n')
  await served.write('blob.xyz', new Uint8Array([0, 1]))
  await served.write(LONG_NAME, 'a text\n')
  await served.write('ملف مهم.txt', 'text')
  await mkdir(join(served.root, 'empty'))
  await writeFile(join(served.root, '写真 京都 012.heic'), 'x')
  const links = {
    folder: await share(served, '/'),
    file: await share(served, '/photo.png'),
    limited: await share(served, '/', { maxDownloads: 3, title: 'Papers', message: 'Hello', expires: '48', unit: 'hours' }),
    look: await share(served, '/', { rights: 'view' }),
    drop: await share(served, '/empty', { rights: 'drop', drop: { maxFile: 1e8, maxFiles: 2, maxBytes: 1e9, types: ['jpg'] } }),
    locked: await share(served, '/empty', { password: PASSWORD }),
    later: await share(served, '/empty', { starts: Math.floor(Date.now() / 1000) + 100_000 }),
  }
  await fetch(`${served.url}/api/public/share/${links.folder}`)
  return links
}

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from '@playwright/test'
import { LANGUAGES, type Language } from '../src/shared/languages.ts'
import { createHost } from '../test/e2e/host.ts'
import { makeAccounts, makePeople, PASSWORD, type Served, withServer } from '../test/e2e/server.ts'
import { readCatalogue } from '../scripts/check-messages.ts'
import { fillInstance, type Links } from './languages/instance.ts'
import { flawsOf, untranslated, wordsOf } from './languages/inspect.ts'
import { PASSING, PHONE_ONLY, SIGNED_IN, SIGNED_OUT } from './languages/screens.ts'
import { makeSheets } from './languages/sheets.ts'
import { grow, TALL, type Tour } from './languages/steps.ts'

/**
 * Every screen in every language: pictures into test-pictures, and a failure for what sticks out sideways, is cut off, is still English
 * or runs in the wrong direction. `bun tools/test-languages.ts [options] [code…]`, after a build. Pictures of other languages and windows stay.
 *   --widths 390,1280     of the window; a phone where not told otherwise
 *   --themes light,dark   light where not told otherwise
 *   --only rewind,trash   only tours with a screen whose name begins with one of these
 *   --sheets              also lays the pictures of each window out on a few sheets, to be looked at
 */
const PICTURES = join(import.meta.dir, '../test-pictures')
const LAST_PHONE_WIDTH = 736

/** Screens that are longer than a window. */
const LONG = /^settings-/

const { values, positionals: wanted } = parseArgs({
  options: {
    widths: { type: 'string', default: '390' },
    themes: { type: 'string', default: 'light' },
    only: { type: 'string', default: '' },
    sheets: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const languages = LANGUAGES.filter(({ code }) => wanted.length === 0 || wanted.includes(code))
const only = values.only.split(',')
await using host = createHost()
const people = await makePeople(host, await makeAccounts())
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
let found = 0
try {
  const settings = { signup: true, branding: { name: 'Satchel' } }
  await withServer({ host, people, settings, options: ['--disableExec=false', '--snapshots=.snapshots/*'] }, async (served) => {
    const links = await fillInstance(served)
    for (const language of languages) {
      for (const size of values.widths.split(',').map(sizeOf)) {
        for (const theme of values.themes.split(',')) {
          const folder = join(PICTURES, `${language.code}-${size.width}${theme === 'dark' ? '-dark' : ''}`)
          const { seen, problems } = await see(browser, { language, size, theme, folder, served, links })
          const sheets = values.sheets ? `, ${await makeSheets(browser, folder, size)} sheets` : ''
          console.log(`${language.code} ${size.width} ${theme}: ${seen} screens${sheets}`)
          for (const problem of problems) console.error(problem)
          found += problems.length
        }
      }
    }
  })
} finally {
  await browser.close()
}
process.exitCode = found === 0 ? 0 : 1

interface Size {
  readonly width: number
  readonly height: number
}

function sizeOf(width: string): Size {
  return { width: Number(width), height: Number(width) <= LAST_PHONE_WIDTH ? 844 : 900 }
}

interface Sight {
  readonly language: Language
  readonly size: Size
  readonly theme: string
  /** Where the pictures go. */
  readonly folder: string
  readonly served: Served
  readonly links: Links
}

/** All screens of one language. A tour ends at a screen that could not be reached. */
async function see(on: Browser, sight: Sight): Promise<{ seen: number; problems: string[] }> {
  const { language, size, theme, folder, served, links } = sight
  const { code, tag } = language
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const own = readCatalogue(code)
  const flawsIn = lookFor(language)
  const problems: string[] = []
  const note = (name: string, what: string) => problems.push(`${code} ${size.width} ${name}: ${what}`)
  let seen = 0
  const context = await on.newContext({ viewport: size, locale: tag, serviceWorkers: 'block', reducedMotion: 'reduce' })
  await context.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme)
  async function walk(tours: readonly Tour[]): Promise<void> {
    for (const tour of tours.filter(isWanted)) {
      const page = await context.newPage()
      page.setDefaultTimeout(10_000)
      // Whoever leaves with unsaved words is let go.
      page.on('dialog', (asked) => void asked.accept())
      for (const [name, go] of Object.entries(tour)) {
        const picture = { path: join(folder, `${name}.png`) }
        try {
          await go({ page, served, links, say: (key) => own[key] ?? key })
          if (LONG.test(name)) await grow(page, TALL)
          for (const flaw of await flawsIn(page)) note(name, flaw)
          await page.screenshot(picture)
          if (LONG.test(name)) await grow(page, size.height)
          seen++
        } catch (error) {
          note(name, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
          await page.screenshot(picture)
          break
        }
      }
      await page.close()
    }
  }
  await walk(SIGNED_OUT)
  await signIn(await context.newPage(), served)
  await walk([...SIGNED_IN, ...(size.width <= LAST_PHONE_WIDTH ? PHONE_ONLY : []), ...PASSING])
  await context.close()
  return { seen, problems }
}

function isWanted(tour: Tour): boolean {
  return Object.keys(tour).some((name) => only.some((start) => name.startsWith(start)))
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

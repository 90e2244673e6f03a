import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { LANGUAGES } from '../src/web/i18n/languages.ts'
import { createHost } from '../test/e2e/host.ts'
import { PNG } from '../test/e2e/samples.ts'
import { makeAccounts, makePeople, PASSWORD, type Served, withServer } from '../test/e2e/server.ts'
import { readCatalogue } from './check-messages.ts'

/**
 * Every screen in every language that has a catalogue, on a phone: pictures into test-results/languages, and a failure for whatever sticks out
 * sideways. `bun scripts/test-languages.ts [code…]`, after a build. Arabic is drawn even without a catalogue, for its direction.
 */
const PICTURES = join(import.meta.dir, '../test-results/languages')
const PHONE = { width: 390, height: 844 }
const LONG_NAME = 'Jahresabschlussbesprechungsprotokoll_2026_endgueltig_korrigiert (3).txt'

/** What to see, and how to get there; found by what is the same in every language. */
const SCREENS: Record<string, (page: Page, served: Served) => Promise<unknown>> = {
  'files-list': (page, { url }) => page.goto(`${url}/files/`).then(() => page.locator('[role=row]').nth(2).waitFor()),
  'files-empty': (page, { url }) => page.goto(`${url}/files/empty/`).then(() => page.locator('[data-part=empty]').waitFor()),
  'files-selection': async (page, served) => {
    await SCREENS['files-list']?.(page, served)
    await page.keyboard.press('ControlOrMeta+a')
    await page.locator('[role=row][aria-selected=true]').first().waitFor()
  },
  'files-delete': async (page, served) => {
    await SCREENS['files-selection']?.(page, served)
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').waitFor()
  },
  'files-menu': async (page, served) => {
    await SCREENS['files-list']?.(page, served)
    await page.locator('[role=row]').nth(2).click({ button: 'right' })
    await page.getByRole('menu').waitFor()
  },
  'files-rename': async (page, served) => {
    await SCREENS['files-list']?.(page, served)
    await page.locator('[role=row]').nth(2).click()
    await page.keyboard.press('F2')
    await page.getByRole('dialog').waitFor()
  },
  'files-info': async (page, served) => {
    await SCREENS['files-list']?.(page, served)
    await page.locator('[role=row]').nth(2).click()
    await page.keyboard.press('Alt+Enter')
    await page.getByRole('dialog').waitFor()
  },
  'files-copy': (page, served) => chosen(page, served, 'copy'),
  'files-share': (page, served) => chosen(page, served, 'share'),
  'files-download': async (page, served) => {
    await SCREENS['files-selection']?.(page, served)
    await page.keyboard.press('ControlOrMeta+s')
    await page.getByRole('dialog').waitFor()
  },
  'files-compress': async (page, served) => {
    await SCREENS['files-selection']?.(page, served)
    await page.locator('[role=row][aria-selected=true]').first().click({ button: 'right' })
    await page.locator('[data-part=menu-item][data-id=compress]').click()
    await page.getByRole('dialog').waitFor()
  },
  palette: async (page, served) => {
    await SCREENS['files-list']?.(page, served)
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('dialog').waitFor()
  },
  search: async (page, served) => {
    await SCREENS['files-list']?.(page, served)
    await page.keyboard.press('ControlOrMeta+f')
    await page.getByRole('dialog').waitFor()
  },
  'search-content': async (page, served) => {
    await SCREENS['search']?.(page, served)
    await page.keyboard.type('content:text')
    await page.keyboard.press('Enter')
    await page.locator('[role=dialog] mark').first().waitFor()
  },
  'files-usage': async (page, served) => {
    await SCREENS['files-list']?.(page, served)
    await page.locator('[role=row]').first().click({ button: 'right' })
    await page.locator('[data-part=menu-item][data-id=usage]').click()
    await page.getByRole('dialog').waitFor()
  },
  favourites: async (page, served) => {
    await SCREENS['files-list']?.(page, served)
    await page.locator('[role=row]').nth(2).click()
    await page.keyboard.press('*')
    await settled(page, `${served.url}/favourites`)
  },
  recent: (page, { url }) => settled(page, `${url}/recent`),
  'shared-folder': async (page, served) => {
    await page.goto(`${served.url}/share/${await link(page, served, '/')}`)
    await page.locator('[data-part=share-list]').waitFor()
  },
  'shared-drop': async (page, served) => {
    await page.goto(`${served.url}/share/${await link(page, served, '/empty', { rights: 'drop' })}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  },
  'shared-locked': async (page, served) => {
    await page.goto(`${served.url}/share/${await link(page, served, '/empty', { password: PASSWORD })}`)
    await page.locator('[data-part=share-password]').waitFor()
  },
  editor: (page, { url }) =>
    page.goto(`${url}/files/${encodeURIComponent(LONG_NAME)}`).then(() => page.getByRole('textbox').first().waitFor()),
  'preview-image': (page, { url }) =>
    page.goto(`${url}/files/photo.png`).then(() => page.getByRole('img', { name: 'photo.png' }).waitFor()),
  'preview-none': (page, { url }) => page.goto(`${url}/files/blob.xyz`).then(() => page.getByRole('heading', { level: 1 }).waitFor()),
  'settings-profile': (page, { url }) => settled(page, `${url}/settings/profile`),
  'settings-shares': (page, { url }) => settled(page, `${url}/settings/shares`),
  'settings-global': (page, { url }) => settled(page, `${url}/settings/global`),
  'settings-activity': (page, { url }) => settled(page, `${url}/settings/activity`),
  'settings-users': (page, { url }) => settled(page, `${url}/settings/users`),
  'settings-users-new': (page, { url }) => settled(page, `${url}/settings/users/new`),
  help: async (page, served) => {
    await SCREENS['files-list']?.(page, served)
    await page.keyboard.press('F1')
    await page.getByRole('dialog').waitFor()
  },
  drawer: async (page, served) => {
    await SCREENS['files-list']?.(page, served)
    await page.locator('[data-part=header] button').first().click()
    await page.locator('[data-part=sidebar]').waitFor()
  },
  '403': (page, { url }) => settled(page, `${url}/403`),
  '404': (page, { url }) => settled(page, `${url}/404`),
  '500': (page, { url }) => settled(page, `${url}/500`),
}
const SIGNED_OUT: typeof SCREENS = {
  login: (page, { url }) => page.goto(`${url}/login`).then(() => page.locator('form').waitFor()),
  signup: async (page, { url }) => {
    await page.goto(`${url}/login?signup`)
    await page.locator('input[name=confirmation]').fill('x')
  },
}

const wanted = process.argv.slice(2)
const languages = LANGUAGES.filter(({ code }) =>
  wanted.length > 0 ? wanted.includes(code) : code === 'ar' || Object.keys(readCatalogue(code)).length > 0,
)
await rm(PICTURES, { recursive: true, force: true })
await using host = createHost()
const people = await makePeople(host, await makeAccounts())
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
const problems: string[] = []
try {
  await withServer({ host, people, settings: { signup: true, branding: { name: 'Satchel' } } }, async (served) => {
    await plant(served)
    for (const { code, tag } of languages) {
      const context = await browser.newContext({ viewport: PHONE, locale: tag, serviceWorkers: 'block', reducedMotion: 'reduce' })
      await walk(context, served, { code, screens: SIGNED_OUT })
      await signIn(context, served)
      await walk(context, served, { code, screens: SCREENS })
      await context.close()
      console.log(`${code}: ${Object.keys(SCREENS).length + Object.keys(SIGNED_OUT).length} screens`)
      for (const problem of problems.filter((one) => one.startsWith(`${code} `))) console.error(problem)
    }
  })
} finally {
  await browser.close()
}
process.exitCode = problems.length === 0 ? 0 : 1

async function walk(context: BrowserContext, served: Served, { code, screens }: { code: string; screens: typeof SCREENS }): Promise<void> {
  await mkdir(join(PICTURES, code), { recursive: true })
  for (const [name, go] of Object.entries(screens)) {
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    try {
      await go(page, served)
      const out = await stickingOut(page)
      problems.push(...out.map((what) => `${code} ${name}: sticks out: ${what}`))
    } catch (error) {
      problems.push(`${code} ${name}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`)
    }
    await page.screenshot({ path: join(PICTURES, code, `${name}.png`) })
    await page.close()
  }
}

/** What is wider than its room: the page itself, and texts cut off in buttons and labels. Names of files may be cut: they say so with dots. */
function stickingOut(shown: Page): Promise<string[]> {
  return shown.evaluate(() => {
    const width = document.documentElement.clientWidth
    const scrolls = (element: Element): boolean => /auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX)
    const isContained = (element: Element): boolean => {
      for (let up = element.parentElement; up !== null && up !== document.body; up = up.parentElement) if (scrolls(up)) return true
      return false
    }
    const isSeen = (element: Element): boolean => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    const outside = [...document.body.querySelectorAll('*')].filter((element) => {
      const { left, right, width: own } = element.getBoundingClientRect()
      return own > 1 && isSeen(element) && (left < -1 || right > width + 1) && !isContained(element)
    })
    const cut = [...document.querySelectorAll('button, a, label, h1, h2, [role=tab], [role=menuitem]')].filter(
      (element) =>
        isSeen(element) &&
        element.scrollWidth > element.clientWidth + 1 &&
        element.clientWidth > 0 &&
        !element.matches('.sr-only') &&
        getComputedStyle(element).textOverflow !== 'ellipsis' &&
        getComputedStyle(element).display !== 'inline',
    )
    const sheets = [...document.querySelectorAll('main, [role=dialog]')].filter((element) => element.scrollWidth > element.clientWidth + 1)
    const say = (element: Element): string =>
      `${element.tagName.toLowerCase()} ${element.className} “${(element.textContent ?? '').slice(0, 40)}”`
    const page = document.documentElement.scrollWidth > width ? ['the page'] : []
    return [...page, ...[...outside, ...cut, ...sheets].slice(0, 5).map(say)]
  })
}

async function chosen(page: Page, served: Served, action: string): Promise<void> {
  await SCREENS['files-menu']?.(page, served)
  await page.locator(`[data-part=menu-item][data-id=${action}]`).click()
  await page.getByRole('dialog').waitFor()
}

/** Makes a share link and says its name. */
async function link(page: Page, { url }: Served, path: string, body: object = {}): Promise<string> {
  await page.goto(`${url}/files/`)
  const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
  const response = await page.request.post(`${url}/api/share${path}`, { data: body, headers: { 'x-auth': token } })
  const { hash } = (await response.json()) as { hash: string }
  return hash
}

async function settled(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('main').waitFor()
  await page.waitForLoadState('networkidle')
}

async function signIn(context: BrowserContext, { url }: Served): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${url}/login`)
  await page.locator('input[name=username]').fill('admin')
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('button[type=submit]').click()
  await page.waitForURL('**/files/')
  await page.close()
}

async function plant(served: Served): Promise<void> {
  await served.write('photo.png', PNG)
  await served.write('blob.xyz', new Uint8Array([0, 1]))
  await served.write(LONG_NAME, 'a text\n')
  await served.write('ملف مهم.txt', 'text')
  await mkdir(join(served.root, 'empty'))
  await writeFile(join(served.root, '写真 京都 012.heic'), 'x')
}

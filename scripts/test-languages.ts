import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { type Browser, chromium, type Page } from '@playwright/test'
import { LANGUAGES, type Language } from '../src/web/i18n/languages.ts'
import { createHost } from '../test/e2e/host.ts'
import { share } from '../test/e2e/links.ts'
import { PNG } from '../test/e2e/samples.ts'
import { makeAccounts, makePeople, PASSWORD, type Served, withServer } from '../test/e2e/server.ts'
import { readCatalogue } from './check-messages.ts'

/**
 * Every screen in every language: pictures into test-results/languages, and a failure for what sticks out sideways, is cut off, is still English
 * or runs in the wrong direction. `bun scripts/test-languages.ts [--desktop] [code…]`, after a build; on a phone where not told otherwise.
 * Pictures of other languages and of the other width stay.
 */
const PICTURES = join(import.meta.dir, '../test-results/languages')
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 900 }
/** Room for what is longer than a window. */
const TALL = 2600
const LONG_NAME = 'Jahresabschlussbesprechungsprotokoll_2026_endgueltig_korrigiert (3).txt'

interface Stage {
  readonly page: Page
  readonly served: Served
  readonly links: Links
  /** A text of the language, to find things by. */
  say(key: string): string
}

type Step = (stage: Stage) => Promise<unknown>
/** Screens one after another, each reached from the one before; the first opens the page. */
type Tour = Record<string, Step>

const SIGNED_OUT: readonly Tour[] = [
  {
    login: ({ page, served }) => page.goto(`${served.url}/login`).then(() => page.locator('form').waitFor()),
    'login-refused': async ({ page }) => {
      await page.locator('input[name=username]').fill('nobody')
      await page.locator('input[name=password]').fill('wrong')
      await page.locator('button[type=submit]').click()
      await page.getByRole('alert').first().waitFor()
    },
    signup: async ({ page, served }) => {
      await page.goto(`${served.url}/login?signup`)
      await page.locator('input[name=confirmation]').fill('x')
    },
  },
  {
    'shared-folder': visit(({ folder }) => folder, '[data-part=share-list]'),
    'shared-selection': ({ page }) => page.locator('[data-part=share-list] [role=row]').nth(1).click(),
    'shared-limits': visit(({ limited }) => limited, '[data-part=share-list]'),
    'shared-look': visit(({ look }) => look, '[data-part=share-list]'),
    'shared-file': visit(({ file }) => file, '[data-part=share-card]'),
    'shared-drop': visit(({ drop }) => drop, '[data-part=drop-box]'),
    'shared-drop-refused': async ({ page }) => {
      await page.locator('input[type=file]').first().setInputFiles([upload('wrong.exe')])
      await page.getByRole('main').getByRole('alert').first().waitFor()
    },
    'shared-locked': visit(({ locked }) => locked, '[data-part=share-password]'),
    'shared-ended': visit(() => 'no-such-link', 'h1'),
    'shared-later': visit(({ later }) => later, '[data-part=share-closed]'),
  },
]

const SIGNED_IN: readonly Tour[] = [
  {
    'files-list': listing,
    'files-menu': (stage) => openMenu(stage),
    'files-rename': async (stage) => {
      await stage.page.keyboard.press('Escape')
      await dialogBy('F2')(stage)
    },
    'files-info': afterEscape(dialogBy('Alt+Enter')),
    'files-share': afterEscape(chosen('share', 'docs')),
    'files-share-options': async ({ page }) => {
      await page.getByRole('dialog').locator('summary').click()
      await page.getByRole('dialog').locator('select', { has: page.locator('option[value=drop]') }).selectOption('drop')
      await page.setViewportSize({ ...sizeOf(page), height: 1500 })
    },
    'files-copy': async (stage) => {
      await stage.page.setViewportSize({ ...sizeOf(stage.page), height: PHONE.height })
      await afterEscape(chosen('copy'))(stage)
    },
    'files-selection': afterEscape(async ({ page }) => {
      await page.keyboard.press('ControlOrMeta+a')
      await page.locator('[role=row][aria-selected=true]').nth(1).waitFor()
    }),
    'files-delete': dialogBy('Delete'),
    'files-download': afterEscape(dialogBy('ControlOrMeta+s')),
    'files-compress': afterEscape(async ({ page }) => {
      await page.locator('[role=row][aria-selected=true]').first().click({ button: 'right' })
      await page.locator('[data-part=menu-item][data-id=compress]').click()
      await page.getByRole('dialog').waitFor()
    }),
    palette: afterEscape(dialogBy('ControlOrMeta+k')),
    search: afterEscape(dialogBy('ControlOrMeta+f')),
    'search-content': async ({ page }) => {
      await page.keyboard.type('content:text')
      await page.keyboard.press('Enter')
      await page.locator('[role=dialog] mark').first().waitFor()
    },
    'search-none': async ({ page }) => {
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('nothingiscalledso')
      await page.keyboard.press('Enter')
      await page.locator('[role=dialog] mark').first().waitFor({ state: 'detached' })
    },
    help: async (stage) => {
      await listing(stage)
      await stage.page.setViewportSize({ ...sizeOf(stage.page), height: TALL })
      await dialogBy('F1')(stage)
    },
    account: afterEscape(async ({ page }) => {
      await page.locator('[data-part=account]').click()
      await page.getByRole('menu').waitFor()
    }),
    sort: afterEscape(async ({ page }) => {
      await page.locator('[data-part=sort]').first().click()
      await page.getByRole('menu').waitFor()
    }),
    'files-filter': afterEscape(async ({ page }) => {
      await page.locator('[role=row]').nth(2).focus()
      await page.keyboard.press('/')
      await page.keyboard.type('zzz')
      await page.locator('[data-part=empty]').waitFor()
    }),
    commands: async (stage) => {
      await listing(stage)
      await stage.page.keyboard.press('Control+Backquote')
      await stage.page.locator('[data-part=shell-entry] input').fill('ls /no-such-place')
      await stage.page.keyboard.press('Enter')
      await stage.page.locator('[data-from=stderr]').waitFor()
    },
    terminal: async ({ page, say }) => {
      await page.locator('[data-part=shell] [data-part=segmented] label', { hasText: say('terminal.title') }).click()
      await page.locator('[data-part=terminal] .xterm-rows').waitFor()
    },
  },
  {
    'files-empty': ({ page, served }) => page.goto(`${served.url}/files/empty/`).then(() => page.locator('[data-part=empty]').waitFor()),
    'files-broken-route': ({ page, served }) =>
      page.goto(`${served.url}/files/no-such-file.txt`).then(() => page.getByRole('heading', { level: 1 }).waitFor()),
  },
  {
    'files-conflict': async (stage) => {
      await listing(stage)
      await stage.page.locator('[data-part=pick-files]').setInputFiles([upload('plan.txt'), upload('photo.png')])
      await stage.page.getByRole('dialog').locator('input[type=radio]').first().waitFor()
    },
    'uploads-failed': async ({ page }) => {
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const body = { code: 'storage-full', detail: {} }
      await page.route('**/api/resources/full*', (route) => route.fulfill({ status: 507, contentType: 'application/json', body: JSON.stringify(body) }))
      await page.locator('[data-part=pick-files]').setInputFiles([upload('full1.txt'), upload('full2.txt')])
      await openTray(page)
    },
    'uploads-under-way': async ({ page }) => {
      await page.route('**/api/resources/slow*', () => undefined)
      await page.locator('[data-part=pick-files]').setInputFiles([upload('slow1.txt'), upload('slow2.txt')])
      await page.locator('[data-part=tray] [role=progressbar]').first().waitFor()
    },
  },
  {
    'files-usage': async (stage) => {
      await listing(stage)
      await stage.page.locator('[role=row]').first().click({ button: 'right' })
      await stage.page.locator('[data-part=menu-item][data-id=usage]').click()
      await stage.page.getByRole('dialog').locator('button').nth(1).waitFor()
    },
    favourites: async (stage) => {
      await listing(stage)
      await stage.page.locator('[role=row]').nth(2).click()
      await stage.page.keyboard.press('*')
      await settled('/favourites')(stage)
    },
  },
  {
    editor: edit,
    'editor-find': async ({ page }) => {
      await page.keyboard.press('ControlOrMeta+f')
      await page.locator('.cm-search input').first().fill('text')
    },
    'editor-more': async ({ page, say }) => {
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: say('editor.more'), exact: true }).click()
      await page.getByRole('menu').waitFor()
    },
    'editor-changed': async ({ page, served }) => {
      await page.keyboard.press('Escape')
      await page.locator('.cm-content').click()
      await page.keyboard.type('mine ')
      await served.write(LONG_NAME, `a text of theirs ${Date.now()}\n`)
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByRole('dialog').waitFor()
    },
    'editor-leave': async ({ page, say }) => {
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('link', { name: say('editor.close') }).or(page.getByRole('button', { name: say('editor.close') })).first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    'preview-image': ({ page, served }) =>
      page.goto(`${served.url}/files/photo.png`).then(() => page.getByRole('img', { name: 'photo.png' }).waitFor()),
    'preview-none': ({ page, served }) =>
      page.goto(`${served.url}/files/blob.xyz`).then(() => page.getByRole('heading', { level: 1 }).waitFor()),
    'preview-broken': ({ page, served, say }) =>
      page.goto(`${served.url}/files/broken.png`).then(() => page.getByText(say('preview.broken')).first().waitFor()),
    'preview-table': ({ page, served }) => page.goto(`${served.url}/files/table.csv`).then(() => page.locator('[data-part=csv], .cm-content').first().waitFor()),
    recent: settled('/recent'),
  },
  {
    'settings-profile': settled('/settings/profile'),
    'settings-shares': settled('/settings/shares'),
    'share-visits': async ({ page, links, say }) => {
      await page.getByRole('button', { name: say('share.visits-of').replace('{hash}', links.folder) }).click()
      await page.getByRole('dialog').locator('li').first().waitFor()
    },
    'share-edit': afterEscape(async ({ page, links, say }) => {
      await page.getByRole('button', { name: say('share.edit-one').replace('{hash}', links.limited) }).click()
      await page.getByRole('dialog').locator('select').first().waitFor()
    }),
    'settings-global': async (stage) => {
      await settled('/settings/global')(stage)
      await stage.page.locator('main details:not([open])').evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')))
    },
    'settings-activity': settled('/settings/activity'),
    'settings-users': settled('/settings/users'),
    'settings-users-one': settled('/settings/users/2'),
    'settings-users-new': settled('/settings/users/new'),
  },
  { '403': settled('/403'), '404': settled('/404'), '500': settled('/500') },
]

const PHONE_ONLY: readonly Tour[] = [
  {
    drawer: async (stage) => {
      await listing(stage)
      await stage.page.locator('[data-part=header] button').first().click()
      await stage.page.locator('[data-part=sidebar]').waitFor()
    },
  },
]

const SCREENS_THAT_ARE_LONG = /^settings-|^share-|^files-info$/

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

/** All screens of one language. */
async function see(on: Browser, { code, tag, dir }: Language, { served, links }: { served: Served; links: Links }): Promise<{ seen: number; problems: string[] }> {
  const folder = join(PICTURES, size === PHONE ? code : `${code}-desktop`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const own = readCatalogue(code)
  const english = untranslated(readCatalogue('en'), own)
  const problems: string[] = []
  let seen = 0
  const context = await on.newContext({ viewport: size, locale: tag, serviceWorkers: 'block', reducedMotion: 'reduce' })
  const walk = async (tours: readonly Tour[]): Promise<void> => {
    for (const tour of tours) {
      const page = await context.newPage()
      page.setDefaultTimeout(10_000)
      // Whoever leaves with unsaved words is let go.
      page.on('dialog', (asked) => void asked.accept())
      for (const [name, go] of Object.entries(tour)) {
        let reached = true
        try {
          await go({ page, served, links, say: (key) => own[key] ?? key })
          if (SCREENS_THAT_ARE_LONG.test(name)) await page.setViewportSize({ ...sizeOf(page), height: TALL })
          const flaws = await page.evaluate(flawsOf, { dir })
          const words = code === 'en' ? [] : (await page.evaluate(wordsOf)).filter(english).map((text) => `still English: “${text}”`)
          problems.push(...[...flaws, ...new Set(words)].map((what) => `${code} ${name}: ${what}`))
        } catch (error) {
          reached = false
          problems.push(`${code} ${name}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`)
        }
        await page.screenshot({ path: join(folder, `${name}.png`) })
        if (SCREENS_THAT_ARE_LONG.test(name)) await page.setViewportSize(size)
        // What comes after starts here.
        if (!reached) break
        seen++
      }
      await page.close({ runBeforeUnload: false })
    }
  }
  await walk(SIGNED_OUT)
  await signIn(await context.newPage(), served)
  await walk(size === PHONE ? [...SIGNED_IN, ...PHONE_ONLY] : SIGNED_IN)
  await context.close()
  return { seen, problems }
}

/** Tells texts that are a message in English and none of the language. Messages that are all placeholder are everybody's. */
function untranslated(english: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>): (text: string) => boolean {
  const foreign = Object.entries(english).filter(([key, text]) => own[key] !== text)
  const [theirs, ours] = [foreign.map(([, text]) => text), Object.values(own)].map((texts) => {
    const all = texts.map(patternOf).filter((one) => /\p{L}{2}/u.test(one))
    return new RegExp(`^(?:${all.join('|')})$`, 'u')
  })
  return (text) => theirs?.test(text) === true && ours?.test(text) === false
}

/** What a message may look like, its placeholders filled in; nothing for one with cases. */
function patternOf(message: string): string {
  const parts = compileMessage(message)
  if (parts.some((part) => Array.isArray(part) && part.length > 1)) return ''
  return parts.map((part) => (typeof part === 'string' ? part.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`) : '.+')).join('')
}

/** In the page: texts that are shown or read out. */
function wordsOf(): string[] {
  const shown = [...document.body.querySelectorAll('*')].filter((element) => element.checkVisibility() && element.closest('bdi, .cm-content, code') === null)
  const texts = shown.flatMap((element) => [
    ...[...element.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE && !element.matches('script, style') ? [node.nodeValue ?? ''] : [])),
    ...['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''),
  ])
  return texts.map((text) => text.trim()).filter((text) => text !== '')
}

/**
 * In the page: what is wider than its room, texts that are cut off, and what runs from the wrong side. Names of files may be cut: they say so with
 * dots.
 */
function flawsOf({ dir }: { dir: string }): string[] {
  const width = document.documentElement.clientWidth
  const scrolls = (element: Element): boolean => /auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX)
  const isContained = (element: Element): boolean => {
    for (let up = element.parentElement; up !== null && up !== document.body; up = up.parentElement) if (scrolls(up)) return true
    return false
  }
  const isSeen = (element: Element): boolean => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const isName = (element: Element): boolean => element.closest('bdi') !== null || element.querySelector('bdi') !== null
  const seen = [...document.body.querySelectorAll('*')].filter((element) => isSeen(element) && element.closest('.sr-only, .xterm, svg') === null)
  const outside = seen.filter((element) => {
    const { left, right, width: own } = element.getBoundingClientRect()
    return own > 1 && (left < -1 || right > width + 1) && !isContained(element)
  })
  const overflows = (element: Element): boolean => element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1
  const cut = seen.filter(
    (element) =>
      element.matches('button, a, label, h1, h2, [role=tab], [role=menuitem]') &&
      overflows(element) &&
      getComputedStyle(element).textOverflow !== 'ellipsis' &&
      getComputedStyle(element).display !== 'inline',
  )
  const dotted = seen.filter((element) => overflows(element) && getComputedStyle(element).textOverflow === 'ellipsis' && !isName(element))
  const sheets = seen.filter((element) => element.matches('main, [role=dialog]') && overflows(element))
  const fields = seen.filter((element) => element.matches('input[placeholder]') && element.getAttribute('placeholder') !== '' && overflows(element))
  const letters = dir === 'rtl' ? /^[^\p{L}]*\p{Script=Arabic}/u : /^[^\p{L}]*\p{Script=Latin}/u
  const backwards = seen.filter((element) => {
    const text = [...element.childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : '')).join('')
    const { direction, textAlign } = getComputedStyle(element)
    return letters.test(text) && !isName(element) && (direction !== dir || (dir === 'rtl' && textAlign === 'left'))
  })
  const say = (what: string) => (element: Element) =>
    `${what}: ${element.tagName.toLowerCase()} ${element.className} “${(element.textContent ?? '').slice(0, 60)}”`
  return [
    ...(document.documentElement.scrollWidth > width ? ['sticks out: the page'] : []),
    ...(document.documentElement.dir === dir ? [] : [`wrong direction: the page runs ${document.documentElement.dir}`]),
    ...[...outside, ...sheets].slice(0, 5).map(say('sticks out')),
    ...[...cut, ...dotted, ...fields].slice(0, 8).map(say('cut off')),
    ...backwards.slice(0, 5).map(say('wrong direction')),
  ]
}

async function listing({ page, served }: Stage): Promise<void> {
  await page.goto(`${served.url}/files/`)
  await page.locator('[role=row]').nth(2).waitFor()
}

async function openMenu({ page }: Stage, name = 'Jahres'): Promise<void> {
  await page.locator('[role=row]').filter({ hasText: name }).first().click({ button: 'right' })
  await page.getByRole('menu').waitFor()
}

function chosen(action: string, name?: string): Step {
  return async (stage) => {
    await openMenu(stage, name)
    await stage.page.locator(`[data-part=menu-item][data-id=${action}]`).click()
    await stage.page.getByRole('dialog').waitFor()
  }
}

function dialogBy(key: string): Step {
  return async ({ page }) => {
    await page.keyboard.press(key)
    await page.getByRole('dialog').waitFor()
  }
}

/** Closes what is open before. */
function afterEscape(step: Step): Step {
  return async (stage) => {
    await stage.page.keyboard.press('Escape')
    await stage.page.locator('[role=dialog], [role=menu]').first().waitFor({ state: 'detached' })
    await step(stage)
  }
}

function settled(path: string): Step {
  return async ({ page, served }) => {
    await page.goto(`${served.url}${path}`)
    await page.getByRole('main').waitFor()
    await page.waitForLoadState('networkidle')
  }
}

function visit(which: (links: Links) => string, part: string): Step {
  return async ({ page, served, links }) => {
    await page.goto(`${served.url}/share/${which(links)}`)
    await page.locator(part).waitFor()
  }
}

async function edit({ page, served }: Stage): Promise<void> {
  await page.goto(`${served.url}/files/${encodeURIComponent(LONG_NAME)}`)
  await page.locator('.cm-content').waitFor()
}

async function openTray(page: Page): Promise<void> {
  const tray = page.locator('[data-part=tray]')
  await tray.waitFor()
  const fold = tray.locator('header button[aria-expanded]')
  if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click()
  await tray.locator('li').first().waitFor()
}

function upload(name: string): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(`incoming ${name}`) }
}

function sizeOf(page: Page): { width: number; height: number } {
  return page.viewportSize() ?? size
}

async function signIn(page: Page, { url }: Served): Promise<void> {
  await page.goto(`${url}/login`)
  await page.locator('input[name=username]').fill('admin')
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('button[type=submit]').click()
  await page.waitForURL('**/files/')
  await page.close()
}

/** Names of links, each of its kind. */
interface Links {
  readonly folder: string
  readonly file: string
  readonly limited: string
  readonly look: string
  readonly drop: string
  readonly locked: string
  readonly later: string
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

import type { Page } from '@playwright/test'
import type { Served } from '../../test/e2e/server.ts'

/** A name that no phone has room for. */
export const LONG_NAME = 'Jahresabschlussbesprechungsprotokoll_2026_endgueltig_korrigiert (3).txt'
/** Heights in pixels: of a window, and of what holds every settings page. */
const WINDOW = 844
export const TALL = 2600

/** Where a step begins. */
export interface Stage {
  readonly page: Page
  readonly served: Served
  readonly links: Links
  /** A text of the language, to find things by. */
  say(key: string): string
}

type Step = (stage: Stage) => Promise<unknown>
/** Screens one after another, each reached from the one before; the first opens the page. */
export type Tour = Record<string, Step>

/** Names of links, each of its kind. */
export interface Links {
  readonly folder: string
  readonly file: string
  readonly limited: string
  readonly look: string
  readonly drop: string
  readonly locked: string
  readonly later: string
}

/** What who is not signed in sees. */
export const SIGNED_OUT: readonly Tour[] = [
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
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles([upload('wrong.exe')])
      await page.getByRole('main').getByRole('alert').first().waitFor()
    },
    'shared-locked': visit(({ locked }) => locked, '[data-part=share-password]'),
    'shared-ended': visit(() => 'no-such-link', 'h1'),
    'shared-later': visit(({ later }) => later, '[data-part=share-closed]'),
  },
]

/** What the administrator sees. */
export const SIGNED_IN: readonly Tour[] = [
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
      await page
        .getByRole('dialog')
        .locator('select', { has: page.locator('option[value=drop]') })
        .selectOption('drop')
      await grow(page, 1500)
    },
    'files-copy': async (stage) => {
      await grow(stage.page, WINDOW)
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
      await grow(stage.page, TALL)
      await dialogBy('F1')(stage)
    },
    account: afterEscape(async ({ page }) => {
      await grow(page, WINDOW)
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
      const { page, say } = stage
      const button = page.getByRole('button', { name: say('frame.shell'), exact: true })
      if ((page.viewportSize()?.width ?? 0) < 736) {
        await page.locator('[data-part=account]').click()
        await page.locator('[data-part=menu-item][data-id=shell]').click()
      } else await button.click()
      await page.locator('[data-part=shell] label input[dir=ltr]').fill('ls /no-such-place')
      await page.keyboard.press('Enter')
      await page.locator('[data-from=stderr]').waitFor()
    },
    terminal: async ({ page, say }) => {
      await page
        .locator('[data-part=shell]')
        .getByRole('radio', { name: say('terminal.title') })
        .check()
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
      await page.route('**/api/resources/full*', (route) =>
        route.fulfill({ status: 507, contentType: 'application/json', body: JSON.stringify(body) }),
      )
      await page.locator('[data-part=pick-files]').setInputFiles([upload('full1.txt'), upload('full2.txt')])
      await openTray(page)
    },
    'uploads-under-way': async ({ page }) => {
      await page.route('**/api/resources/slow*', () => undefined)
      // Held as long as the page is there, and let go with it: another name for each time.
      const names = [1, 2].map((n) => `slow${n}-${Date.now()}.txt`)
      await page.locator('[data-part=pick-files]').setInputFiles(names.map(upload))
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
    // The star comes and goes from language to language: one sees the list, the next that there is none.
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
      await page
        .getByRole('link', { name: say('editor.close') })
        .or(page.getByRole('button', { name: say('editor.close') }))
        .first()
        .click()
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
    'preview-table': ({ page, served }) =>
      page.goto(`${served.url}/files/table.csv`).then(() => page.locator('[data-part=csv], .cm-content').first().waitFor()),
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

/** What only a phone has. */
export const PHONE_ONLY: readonly Tour[] = [
  {
    drawer: async (stage) => {
      await listing(stage)
      await stage.page.locator('[data-part=header] button').first().click()
      await stage.page.locator('[data-part=sidebar]').waitFor()
    },
  },
]

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

/** Makes room for what is longer than a window, or takes it back. */
export async function grow(page: Page, height: number): Promise<void> {
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 390, height })
}

import type { FirstMinute } from '../../src/shared/contract/users.ts'
import { LONG_NAME } from './instance.ts'
import { crowd } from '../../test/e2e/hits.ts'
import {
  afterEscape,
  chosen,
  dialogBy,
  edit,
  grow,
  listing,
  openMenu,
  overwrite,
  openTray,
  preview,
  settled,
  type Tour,
  upload,
  visit,
  WINDOW,
} from './steps.ts'

/** What visitors and those who sign in see. */
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
    'shared-selection': ({ page }) =>
      page
        .locator('[data-part=share-list] [role=row]')
        .nth(1)
        .click({ modifiers: ['Control'] }),
    'shared-album': visit(({ album }) => album, '[data-part=tile] img[data-state=shown]'),
    'shared-album-picture': async ({ page }) => {
      await page.locator('[data-part=tile]').nth(1).click()
      await page.locator('[data-part=preview] img[data-state=shown]').first().waitFor()
    },
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
    'files-info': afterEscape(async ({ page }) => {
      await page.keyboard.press('Alt+Enter')
      await page.locator('[role=dialog], [data-part=details-pane]').first().waitFor()
    }),
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
    'files-header-menu': afterEscape(async ({ page, say }) => {
      await page.keyboard.press('Escape')
      await page
        .locator('[data-part=listing-header]')
        .getByRole('button', { name: say('files.menu'), exact: true })
        .click()
      await page.getByRole('menu').waitFor()
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
      await grow(stage.page, 1500)
      await dialogBy('F1')(stage)
    },
    account: afterEscape(async ({ page }) => {
      await grow(page, WINDOW)
      await page.locator('[data-part=account]').click()
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
      await openMenu(stage, 'copies')
      await stage.page.locator('[data-part=menu-item][data-id=usage]').click()
      await stage.page.getByRole('dialog').locator('button').nth(1).waitFor()
    },
    'usage-duplicates': async ({ page, say }) => {
      await page.getByRole('tab', { name: say('usage.duplicates') }).click()
      await page.getByRole('button', { name: say('usage.duplicates.start') }).click()
      await page.getByRole('dialog').getByRole('list').first().waitFor()
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
    'preview-picture': preview('album/IMG_20260712_091233.jpg', 'img[data-state=shown]'),
    'preview-video': preview('media/film.webm', 'video'),
    'preview-audio': preview('media/interview.wav', 'audio'),
    'preview-pdf': preview('media/report.pdf', 'iframe'),
    'preview-document': preview('media/letter.docx', '[data-part=document-text]'),
    'preview-archive': preview('media/papers.zip', '[data-part=archive]'),
    'preview-table': ({ page, served }) =>
      page.goto(`${served.url}/files/table.csv`).then(() => page.locator('[data-part=csv], .cm-content').first().waitFor()),
    recent: settled('/recent'),
    trash: async (stage) => {
      await stage.served.write('gone.txt', 'gone')
      await stage.page.evaluate((address) => {
        const headers = { 'x-auth': localStorage.getItem('jwt') ?? '' }
        return fetch(address, { method: 'DELETE', headers }).then(({ ok }) => ok)
      }, `${stage.served.url}/api/resources/gone.txt`)
      await settled('/trash')(stage)
    },
    'trash-selection': async ({ page }) => {
      await page.locator('[role=row][data-item]').first().focus()
      await page.keyboard.press('Space')
      await page.keyboard.press('Shift+F10')
      await page.getByRole('menu').waitFor()
    },
    'trash-open': afterEscape(async ({ page }) => {
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
    }),
    'trash-here': settled('/trash?folder=/'),
    'trash-empty': settled('/trash?folder=/album'),
  },
  {
    versions: async (stage) => {
      await overwrite(stage, 'note.txt', ['one\ntwo\nthree\n', 'one\n2\nthree\n'])
      await listing(stage)
      await chosen('versions', 'note.txt')(stage)
      await stage.page.getByRole('option').nth(1).waitFor()
    },
    'versions-compare': async ({ page, say }) => {
      // Beside the list, on a phone instead of it.
      await page.getByRole('option').nth(1).click()
      await page.locator('label', { has: page.getByRole('radio', { name: say('versions.compare') }) }).click()
      await page.locator('[data-part=comparison] .cm-content').first().waitFor()
    },
    'versions-none': afterEscape(async (stage) => {
      await chosen('versions', 'blob.xyz')(stage)
      await stage.page.locator('[role=dialog] [data-part=empty]').waitFor()
    }),
  },
  {
    'activity-of-files': async (stage) => {
      await listing(stage)
      await overwrite(stage, 'docs/note.txt', ['one\n', 'two\n'])
      await stage.page.goto(`${stage.served.url}/files/docs/`)
      await stage.page.getByRole('button', { name: stage.say('files.menu'), exact: true }).click()
      await stage.page.locator('[data-part=menu-item][data-id=activity]').click()
      await stage.page.locator('[data-part=gesture]').first().waitFor()
    },
    rewind: async ({ page, say }) => {
      await page
        .getByRole('button', { name: say('files.action.rewind') })
        .first()
        .click()
      await page.locator('[role=listbox] li[role=option]').nth(1).click()
      await page.locator('[aria-labelledby=rewind-preview] ul').first().waitFor()
    },
    'rewind-time': async ({ page, say }) => {
      await page.locator('label', { has: page.getByRole('radio', { name: say('rewind.way.time') }) }).click()
      await page.locator('input[type=datetime-local]').waitFor()
    },
    snapshots: afterEscape(async (stage) => {
      await stage.served.write('.snapshots/2026-05-01/docs/gone.txt', 'gone')
      await listing(stage)
      await chosen('snapshots', 'docs')(stage)
      await stage.page.locator('[role=listbox] [role=option]').first().waitFor()
    }),
    'snapshots-none': afterEscape(async (stage) => {
      await chosen('snapshots', 'empty')(stage)
      await stage.page.locator('[role=dialog] [data-part=empty]').waitFor()
    }),
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
    'user-rules': async ({ page }) => {
      const editor = page.locator('[data-part=rules]')
      for (const text of ['/docs', '/album']) {
        await editor.locator('[data-rule=add]').click()
        await editor.locator('[data-rule-part=text]').last().fill(text)
      }
      await editor.scrollIntoViewIfNeeded()
    },
  },
  { '403': settled('/403'), '404': settled('/404'), '500': settled('/500') },
]

/** What is there for a while only, and in the end a listing in which everything floats at once. */
export const PASSING: readonly Tour[] = [
  {
    'welcome-password': welcome({ mustChangePassword: true }, 'password'),
    'welcome-language': welcome({ welcome: ['language'] }, 'language'),
    'welcome-name': welcome({ welcome: ['name'] }, 'name'),
    'welcome-person': welcome({ welcome: ['person'] }, 'person'),
    'welcome-link': welcome({ welcome: ['link', 'name'] }, 'link'),
    'welcome-done': welcome({ welcome: [] }, 'done'),
  },
  {
    'files-mosaic': async (stage) => {
      await stage.page.goto(`${stage.served.url}/files/album/`)
      await stage.page.locator('[data-item]').first().waitFor()
      await stage.page
        .locator('[data-part=listing-header] [role=radio], [data-part=listing-header] input[type=radio]')
        .last()
        .check({ force: true })
      await stage.page.locator('[data-part=tile] img').first().waitFor()
    },
    'files-mosaic-selection': async ({ page }) => {
      await page.keyboard.press('ControlOrMeta+a')
      await page.locator('[data-part=dock]').waitFor()
    },
    'files-list-again': async ({ page }) => {
      await page.keyboard.press('Escape')
      await page
        .locator('[data-part=listing-header] [role=radio], [data-part=listing-header] input[type=radio]')
        .first()
        .check({ force: true })
      await page.locator('[data-part=row]').first().waitFor()
    },
  },
  { crowd: ({ page, served }) => crowd(page, served) },
]

/** What only a phone has. */
export const PHONE_ONLY: readonly Tour[] = [
  {
    sort: async (stage) => {
      await listing(stage)
      await stage.page.locator('[data-part=sort]').first().click()
      await stage.page.getByRole('menu').waitFor()
    },
  },
  {
    'editor-phone': edit,
    'editor-more': async ({ page, say }) => {
      await page.getByRole('button', { name: say('editor.more'), exact: true }).click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    drawer: async (stage) => {
      await listing(stage)
      await stage.page.locator('[data-part=header] button').first().click()
      await stage.page.locator('[data-part=sidebar]').waitFor()
    },
  },
]

/** A page whose server says that the first minute has come to this step. */
function welcome(firstMinute: FirstMinute, step: string): Tour[string] {
  return async (stage) => {
    await stage.page.route('**/api/renew', async (route) => {
      const response = await route.fetch()
      const [header, claims = '', secret] = (await response.text()).split('.')
      const told = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { user: object }
      const body = [header, Buffer.from(JSON.stringify({ ...told, user: { ...told.user, ...firstMinute } })).toString('base64url'), secret]
      await route.fulfill({ response, body: body.join('.') })
    })
    await stage.page.goto(`${stage.served.url}/welcome`)
    await stage.page.locator(`[data-step=${step}] h1`).waitFor()
    await stage.page.unroute('**/api/renew')
  }
}

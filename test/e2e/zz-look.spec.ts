import { expectAccessible } from './axe.ts'
import { choose, row } from './listing.ts'
import { signIn, test } from './served.ts'

const OUT = '/tmp/webhistory/shots'
const now = Date.now()
const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
const item = (kind: string, path: string | null, more: object = {}) => ({ kind, path, origin: null, isDir: false, size: 10, state: 'done', ...more })
const g = (n: number, minutes: number, items: object[], more: object = {}) => ({ group: `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`, at: at(minutes), by: 'admin', via: 'web', mine: true, reverts: null, redo: false, undoable: true, total: items.length, items, ...more })
const gestures = [
  g(1, 2, [item('move', '/docs/budget 2027.xlsx', { origin: '/docs/budget.xlsx' })]),
  g(2, 20, [item('replace', '/docs/plan.md')], { by: 'ann', mine: false, undoable: false, via: 'api' }),
  g(3, 60, [item('create', '/docs/a.jpg'), item('create', '/docs/deep/b.jpg'), item('create', '/docs/c.jpg'), item('create', '/docs/d.jpg'), item('create', '/docs/e.jpg')], { total: 214 }),
  g(4, 1500, [item('delete', '/docs/old', { isDir: true, state: 'undone' })], { undoable: false }),
  g(5, 1510, [item('restore', '/docs/old', { isDir: true })], { reverts: 'x' }),
  g(6, 3000, [item('move', '/docs/Bericht über die Lage.pdf', { origin: '/archive/2024/Lagebericht.pdf' }), item('replace', '/docs/x.txt')], { via: 'job' }),
  g(7, 9000, [item('create', '/docs/visitor.zip')], { via: 'link', mine: false, by: 'ann', undoable: false }),
  g(8, 9100, [item('delete', '/docs/secret.txt', { state: 'gone' }), item('copy', '/docs/copy of plan.md', { origin: '/docs/plan.md' })], { undoable: false }),
]
const preview = {
  counts: { remove: 214, restore: 1, move: 1, content: 2, problems: 1 }, knownSince: at(9200),
  changes: [
    { change: 'move', path: '/docs/budget 2027.xlsx', to: '/docs/budget.xlsx', isDir: false, problem: null },
    { change: 'content', path: '/docs/plan.md', to: null, isDir: false, problem: null },
    { change: 'content', path: '/docs/x.txt', to: null, isDir: false, problem: 'changed' },
    { change: 'remove', path: '/docs/a.jpg', to: null, isDir: false, problem: null },
    { change: 'remove', path: '/docs/deep/b.jpg', to: null, isDir: false, problem: null },
    { change: 'restore', path: '/docs/old', to: null, isDir: true, problem: null },
  ],
}

for (const [locale, theme, width] of [['en', 'light', 1280], ['de', 'dark', 1280], ['ar', 'light', 1280], ['en', 'light', 820], ['de', 'light', 390], ['ar', 'dark', 390]] as const)
  test(`look ${locale} ${theme} ${width}`, async ({ page, served, complaints }) => {
    complaints.foresee(/./)
    for (const name of ['docs/plan.md', 'docs/a.jpg', 'docs/x.txt']) await served.write(name, name)
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    await page.addInitScript((t) => localStorage.setItem('theme', t), theme)
    await page.route(/\/api\/operations\?/, (route) => route.fulfill({ json: { gestures, next: null } }))
    await page.route(/\/api\/rewind\?/, (route) => route.fulfill({ json: preview }))
    await signIn(page, served, '/files/docs/')
    if (locale !== 'en') {
      await page.route(/\/api\/(login|renew|me|users\/1)/, (route) => route.continue())
      await page.evaluate(async (code) => {
        const token = localStorage.getItem('jwt') ?? ''
        await fetch('/api/users/1', { method: 'PUT', headers: { 'x-auth': token, 'content-type': 'application/json' }, body: JSON.stringify({ what: 'user', which: ['locale'], data: { id: 1, locale: code } }) })
      }, locale)
      await page.goto(served.url + '/files/docs/')
    }
    page.on('pageerror', (e) => console.log('PAGEERROR', e.stack)); page.on('console', (m) => m.type() === 'error' && console.log('CONSOLE', m.text()))
    await row(page, 'plan.md').waitFor()
    await page.waitForTimeout(500)
    const menu = page.getByRole('button', { name: { en: 'Actions', de: 'Aktionen', ar: 'الإجراءات' }[locale], exact: true })
    await menu.click()
    await page.locator('[role=menu]').waitFor()
    const names = { en: ['Activity', 'Rewind…'], de: ['Aktivität', 'Zurückspulen…'], ar: ['النشاط', 'إرجاع إلى وقت سابق…'] }[locale]
    await page.screenshot({ path: `${OUT}/${locale}-${theme}-${width}-menu.png` })
    await page.getByRole('menuitem', { name: names[0], exact: true }).click()
    await page.locator('[data-part=timeline]').waitFor()
    await page.waitForTimeout(300)
    await page.screenshot({ path: `${OUT}/${locale}-${theme}-${width}-activity.png` })
    await expectAccessible(page, 'activity')
    await page.locator('[data-part=disclosure] summary').last().click()
    await page.screenshot({ path: `${OUT}/${locale}-${theme}-${width}-filter.png` })
    await page.locator('[data-part=gesture]').nth(2).getByRole('button').first().focus()
    await page.locator('[data-part=gesture]').nth(2).locator('[data-part=icon-button]').first().click()
    await page.locator('[role=listbox] [aria-selected=true]').waitFor()
    await page.waitForTimeout(400)
    await page.screenshot({ path: `${OUT}/${locale}-${theme}-${width}-rewind.png` })
    await expectAccessible(page, 'rewind')
  })
void choose

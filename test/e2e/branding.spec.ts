import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { row } from './listing.ts'
import { expect, PASSWORD, type Served, signIn, test } from './served.ts'

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#c0ffee"/></svg>'

test('the name, theme and colour of an instance apply from the first paint of every page', async ({ page, served, complaints }) => {
  // The page that is open asks on after its session was taken from it.
  complaints.foresee(/status of 401/)
  await signIn(page, served)
  await brand(page, served, { name: 'Ann & Co', theme: 'dark', color: '#123456' })
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  const html = (await (await page.request.get(`${served.url}/login`)).text()).replace(/\s+/g, ' ')
  expect(html).toContain('class="theme-dark dark"')
  expect(html).toContain('<meta name="theme-color" content="#123456" />')
  await page.goto(`${served.url}/login`)
  await expect(page.getByRole('heading', { name: 'Sign in to Ann & Co' })).toBeVisible()
  await expect(page.locator('html')).toHaveClass(/theme-dark/)
  await signIn(page, served)
  await expect(page.getByRole('link', { name: 'Ann & Co, home' })).toBeVisible()
  expect(await (await page.request.get(`${served.url}/manifest.webmanifest`)).json()).toMatchObject({
    name: 'Ann & Co',
    theme_color: '#123456',
  })
})

test('the operator’s images and stylesheet replace the built-in ones, and no other file of the branding folder is served', async ({
  page,
  served,
}) => {
  const folder = join(dirname(served.root), 'brand')
  await mkdir(join(folder, 'img/icons'), { recursive: true })
  await writeFile(join(folder, 'img/logo.svg'), LOGO)
  // Later than ours and outside of every layer: no `!important` is needed.
  await writeFile(join(folder, 'custom.css'), ':root { --accent: rgb(1, 2, 3) } [data-part="login"] h1 { color: rgb(4, 5, 6) }')
  await writeFile(join(folder, 'notes.txt'), 'private')
  await symlink('/etc/passwd', join(folder, 'img/out.png'))
  await signIn(page, served)
  await brand(page, served, { files: folder })
  await page.goto(`${served.url}/404`)
  const logo = page.getByRole('link', { name: 'Satchel, home' }).locator('img')
  expect(await (await page.request.get(new URL((await logo.getAttribute('src')) ?? '', served.url).href)).text()).toBe(LOGO)
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent'))).toBe('rgb(1, 2, 3)')
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${served.url}/login`)
  await expect(page.getByRole('heading', { name: 'Sign in to Satchel' })).toHaveCSS('color', 'rgb(4, 5, 6)')
  for (const name of ['notes.txt', 'img/out.png', 'img/..%2fnotes.txt', 'img/%2e%2e/notes.txt']) {
    expect([name, (await page.request.get(`${served.url}/static/${name}`)).status()]).toEqual([name, 404])
  }
})

/** Around the wheel, pale and vivid, and what has no hue. */
const COLOURS = [...Array.from({ length: 12 }, (_, at) => [`hsl(${at * 30} 100% 50%)`, `hsl(${at * 30} 40% 85%)`]).flat(), 'white', 'black']

test('the configured colour is the accent, and text stays legible with any colour', async ({ page, served }) => {
  await signIn(page, served)
  await brand(page, served, { color: '#c2185b' })
  await page.goto(`${served.url}/404`)
  const button = page.getByRole('link', { name: 'Go to my files' }).or(page.locator('main a').first()).first()
  await expect(button).toHaveCSS('background-color', /^oklch\(0\.46 0\.1[0-9]* /)
  for (const theme of ['light', 'dark']) {
    const weakest = await page.evaluate(weakestContrast, { theme, colours: COLOURS })
    expect([theme, weakest.what, weakest.ratio > 4.5 ? 'readable' : weakest.ratio]).toEqual([theme, weakest.what, 'readable'])
  }
  await brand(page, served, { color: 'petrol' })
  await page.reload()
  await expect(button).toHaveCSS('background-color', 'rgb(10, 107, 124)')
})

test('disabling external links removes every link to another site', async ({ page, served }) => {
  await signIn(page, served)
  await expect(page.getByRole('link', { name: /^Satchel \d/ })).toBeVisible()
  await brand(page, served, { disableExternal: true, disableUsedPercentage: true })
  await page.reload()
  await expect(page.getByText(/^Satchel \d/)).toBeVisible()
  await expect(page.locator('a[href^="http"]')).toHaveCount(0)
  await expect(page.getByText(/ used$/)).toHaveCount(0)
})

test.describe('installed', { tag: '@whole' }, () => {
  test.use({ serviceWorkers: 'allow' })

  test('the browser can install it as an application in the user’s language', async ({ page, served }) => {
    await page.goto(`${served.url}/login`)
    await controlled(page)
    const devtools = await page.context().newCDPSession(page)
    const { errors } = await devtools.send('Page.getAppManifest')
    expect(errors).toEqual([])
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
    // A walk's browser keeps nothing, and says so.
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
  })

  test('built files come from the cache at the next start; API responses and pages never do', async ({ page, served }) => {
    await served.write('a.txt', 'a')
    await signIn(page, served)
    await controlled(page)
    await page.reload()
    await expect(row(page, 'a.txt')).toBeVisible()
    await expect.poll(() => keptPaths(page)).toContain('/offline')
    const kept = await keptPaths(page)
    expect(kept.filter((path) => path !== '/offline' && !path.startsWith('/static/assets/'))).toEqual([])
    expect(kept.some((path) => path.endsWith('.js'))).toBe(true)
    const fromWorker: string[] = []
    page.on('response', (response) => void (response.fromServiceWorker() && fromWorker.push(new URL(response.url()).pathname)))
    await page.reload()
    await expect(row(page, 'a.txt')).toBeVisible()
    expect(fromWorker.some((path) => path.startsWith('/static/assets/'))).toBe(true)
    expect(fromWorker.filter((path) => path.startsWith('/api/'))).toEqual([])
    // Calls do not even pass it: its say took longer than many an answer. How Chromium tells so has had two names.
    const ways = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry): Record<string, unknown> => entry.toJSON() as Record<string, unknown>)
        .filter(({ name }) => new URL(String(name)).pathname.startsWith('/api/'))
        .map((entry) => entry['workerMatchedSourceType'] ?? entry['workerMatchedRouterSource']),
    )
    expect(new Set(ways)).toEqual(new Set(['network']))
  })

  test('starting without the server shows an offline page with a retry', async ({ page, served, complaints }) => {
    complaints.foresee(/net::ERR|Failed to fetch|Failed to load/)
    await signIn(page, served)
    await controlled(page)
    await expect.poll(() => keptPaths(page)).toContain('/offline')
    await served.kill()
    await page.goto(`${served.url}/files/`)
    await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
    await served.start()
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(page.getByText('This folder is empty')).toBeVisible()
    await expect(page).toHaveURL(`${served.url}/files/`)
  })
})

/** Saves branding as the settings screen does. */
async function brand(page: Page, { url }: Served, branding: Record<string, unknown>): Promise<void> {
  const headers = { 'x-auth': await page.evaluate(() => localStorage.getItem('jwt') ?? '') }
  const settings = await (await page.request.get(`${url}/api/settings`, { headers })).json()
  const data = { ...settings, branding: { ...settings.branding, ...branding }, current_password: PASSWORD }
  expect((await page.request.put(`${url}/api/settings`, { headers, data })).status()).toBe(200)
}

/** In the page: of all pairs of text and ground that a colour of the site changes, the one that is hardest to read. */
function weakestContrast({ theme, colours }: { theme: string; colours: readonly string[] }): { what: string; ratio: number } {
  const root = document.documentElement
  root.className = `theme-${theme}`
  const [accents, grounds] = [
    ['accent', 'accent-hover'],
    ['surface', 'canvas', 'selection', 'accent-soft'],
  ]
  const texts = ['text', 'text-2', 'text-3']
  const pairs = [
    ...(accents ?? []).flatMap((accent) => [['on-accent', accent], ...(grounds ?? []).map((ground) => [accent, ground])]),
    ...texts.flatMap((text) => [
      [text, 'selection'],
      [text, 'accent-soft'],
    ]),
  ]
  const brush = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const probe = document.createElement('p')
  document.body.append(probe)
  const luminance = (token: string | undefined): number => {
    probe.style.color = `var(--${token})`
    if (brush === null) throw new Error('nothing to paint with')
    brush.fillStyle = getComputedStyle(probe).color
    brush.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = [...brush.getImageData(0, 0, 1, 1).data].map((byte) => {
      const part = byte / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const seen = colours.flatMap((colour) => {
    root.style.setProperty('--brand', colour)
    return pairs.map(([text, ground]) => {
      const [dark = 0, light = 0] = [luminance(text), luminance(ground)].toSorted((a, b) => a - b)
      return { what: `${text} on ${ground}, ${colour}`, ratio: (light + 0.05) / (dark + 0.05) }
    })
  })
  probe.remove()
  return seen.toSorted((a, b) => a.ratio - b.ratio)[0] ?? { what: 'nothing', ratio: 0 }
}

/** Waits until the service worker answers for this page. */
async function controlled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller !== null) return
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
  })
}

/** The paths of everything the service worker keeps. */
function keptPaths(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const caches = await globalThis.caches.keys()
    const kept = await Promise.all(caches.map(async (name) => (await globalThis.caches.open(name)).keys()))
    return kept.flat().map(({ url }) => new URL(url).pathname)
  })
}

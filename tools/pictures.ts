import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { serverCommand } from '../scripts/lib/server.mjs'

/**
 * The pictures of the documentation, taken from the real product over a made-up tree: `npx bun tools/pictures.ts`.
 * With a folder of other pictures of the same names, a sheet of pairs as well: `npx bun tools/pictures.ts path/to/mock`.
 */
const HOME = resolve(import.meta.dir, '..')
const PICTURES = join(HOME, 'docs/pictures')
const PASSWORD = 'a picture needs a password'
const DAY_MS = 24 * 60 * 60_000

const home = await mkdtemp(join(tmpdir(), 'satchel-pictures-'))
const root = join(home, 'files')
const [mock] = process.argv.slice(2)
await plant(root)
await mkdir(PICTURES, { recursive: true })
await writeFile(join(home, 'password'), PASSWORD)
const server = Bun.spawn(
  [...serverCommand(), '--root', root, '--data', join(home, 'data'), '--port', '0', '--password-file', join(home, 'password')],
  { stdout: 'pipe' },
)
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
try {
  const base = await addressOf(server.stdout)
  await picture('login', { width: 1280 }, async (page) => page.goto(base))
  await signedIn('list', { width: 1280 }, base, async (page) => {
    await view(page, 'List')
    await page.getByRole('row', { name: /091233/ }).click()
    await page.getByRole('row', { name: /Lake drone/ }).click({ modifiers: ['Control'] })
    await page.mouse.move(0, 0)
  })
  await signedIn('mosaic', { width: 1280 }, base, (page) => view(page, 'Mosaic'))
  await signedIn('list-dark', { width: 1280, dark: true }, base, (page) => view(page, 'List'))
  const link = await shareAlbum(base)
  await picture('share', { width: 1280 }, async (page) => page.goto(`${base}share/${link}`))
  await picture('phone-share-dark', { width: 390, dark: true }, async (page) => page.goto(`${base}share/${link}`))
  await signedIn('phone', { width: 390 }, base, (page) => view(page, 'List'))
  await signedIn('phone-mosaic-dark', { width: 390, dark: true }, base, (page) => view(page, 'Mosaic'))
  if (mock !== undefined) await sheet(resolve(mock))
} finally {
  await browser.close()
  server.kill()
  await rm(home, { recursive: true, force: true })
}

interface Look {
  width: number
  dark?: boolean
}

async function picture(name: string, { width, dark = false }: Look, act: (page: Page) => Promise<unknown>): Promise<void> {
  const height = width < 500 ? 844 : 800
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    locale: 'en-GB',
    hasTouch: width < 500,
  })
  const page = await context.newPage()
  await act(page)
  if (dark) {
    await page.evaluate(() => document.documentElement.classList.remove('theme-light'))
    await page.evaluate(() => document.documentElement.classList.add('theme-dark'))
  }
  // For fonts, thumbnails and the ends of movements; a picture is no test.
  await page.waitForTimeout(1500)
  await page.screenshot({ path: join(PICTURES, `${name}.png`) })
  await context.close()
}

function signedIn(name: string, look: Look, base: string, act: (page: Page) => Promise<unknown>): Promise<void> {
  return picture(name, look, async (page) => {
    await page.goto(`${base}files/2026/Photos/`)
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('grid').waitFor()
    await act(page)
  })
}

/** @returns the name of a link to some photos */
async function shareAlbum(base: string): Promise<string> {
  const body = JSON.stringify({ username: 'admin', password: PASSWORD })
  const token = await (await fetch(`${base}api/login`, { method: 'POST', body })).text()
  const made = await fetch(`${base}api/share/2026/Photos/Holiday%202026/`, {
    method: 'POST',
    headers: { 'x-auth': token, accept: 'application/json' },
    body: JSON.stringify({
      title: 'A week at the lake',
      message: 'The best of the week. Take what you like!',
      expires: '14',
      unit: 'days',
    }),
  })
  const { hash }: { hash: string } = await made.json()
  return hash
}

async function view(page: Page, name: 'List' | 'Mosaic'): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(name, 'i') }).check({ force: true })
}

/** Ours beside the others', for the eye. */
async function sheet(other: string): Promise<void> {
  const pairs = [
    ['login', 'login-1280'],
    ['share', 'share-1280'],
    ['list', 'list-light-1280'],
    ['mosaic', 'mosaic-light-1280'],
    ['list-dark', 'list-menu-dark-1280'],
    ['phone', 'list-390'],
    ['phone-share-dark', 'share-390'],
    ['phone-mosaic-dark', 'mosaic-dark-390'],
  ] as const
  const cell = (file: string, text: string): string => `<figure><img src="file://${file}"><figcaption>${text}</figcaption></figure>`
  const rows = pairs.map(
    ([ours, theirs]) => `<div>${cell(join(PICTURES, `${ours}.png`), ours)}${cell(join(other, `${theirs}.png`), `${theirs} (mock)`)}</div>`,
  )
  const style =
    'body{font:16px sans-serif;margin:16px;background:#999}div{display:flex;gap:16px;margin-bottom:16px}figure{margin:0}img{max-width:760px}figcaption{padding:4px}'
  const page = await browser.newPage({ viewport: { width: 1570, height: 900 } })
  const file = join(home, 'sheet.html')
  await writeFile(file, `<style>${style}</style>${rows.join('')}`)
  await page.goto(`file://${file}`)
  await page.screenshot({ path: join(PICTURES, 'sheet.png'), fullPage: true })
}

async function plant(folder: string): Promise<void> {
  const photos = join(folder, '2026/Photos')
  const files: [name: string, kilobytes: number, daysAgo: number][] = [
    ['Annual report 2025.pdf', 4200, 0.08],
    ['Lake drone 4K.mp4', 61_000, 130],
    ['Interview – Ólafur.mp3', 5800, 142],
    ['Budget Q4.xlsx', 88, 144],
    ['upload-queue.ts', 14, 146],
    ['Meeting notes.md', 6, 147],
    ['backup-2026-06.tar.zst', 9120, 148],
    ['写真 京都 012.heic', 2600, 194],
    ['firmware_v3.bin', 1600, 200],
    ['Отчёт за апрель.txt', 21, 205],
    ['ملف مهم.txt', 3, 206],
  ]
  for (const name of ['Contracts', 'Holiday 2026', 'src']) await mkdir(join(photos, name), { recursive: true })
  for (const [name, kilobytes, daysAgo] of files) await put(join(photos, name), new Uint8Array(kilobytes * 1024), daysAgo)
  for (const [index, hue] of [95, 140, 200, 265, 320].entries()) {
    await put(join(photos, `IMG_20260714_0912${33 + index * 5}.svg`), gradient(hue), 130)
  }
  for (const hue of [20, 55, 95, 140, 175, 200, 235, 265, 320, 350]) {
    await put(join(photos, `Holiday 2026/IMG_20260715_1${hue + 100}.svg`), gradient(hue), 129)
  }
  await symlink('Meeting notes.md', join(photos, 'latest.md'))
}

function gradient(hue: number): string {
  const stops = `<stop stop-color="hsl(${hue} 45% 58%)"/><stop offset="1" stop-color="hsl(${hue + 70} 55% 34%)"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><linearGradient id="g" x2="1" y2="1">${stops}</linearGradient><rect width="640" height="480" fill="url(#g)"/></svg>`
}

async function put(path: string, content: Uint8Array | string, daysAgo: number): Promise<void> {
  const time = new Date(Date.now() - daysAgo * DAY_MS)
  await writeFile(path, content)
  await utimes(path, time, time)
}

/** The server prints its address once it listens. What it prints later is read too, or it would write into nothing. */
async function addressOf(output: ReadableStream<Uint8Array>): Promise<string> {
  const found = Promise.withResolvers<string>()
  const read = async () => {
    let printed = ''
    for await (const chunk of output) {
      printed += new TextDecoder().decode(chunk)
      const address = /http:\/\/\S+/.exec(printed)?.[0]
      if (address !== undefined) found.resolve(address)
    }
    found.reject(new Error(`the server ended before it listened:\n${printed}`))
  }
  void read()
  return found.promise
}

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import type { PageConfig } from '../../shared/contract/page-config.ts'
import { errorResponse, incidentFrom } from './errors.ts'
import { createRouter, rawPath, type Router } from './router.ts'
import { mountPage } from './page.ts'
import { isBrandedFile, mountStatic } from './static.ts'

let home = ''
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'satchel-page-'))
  await mkdir(join(home, 'web/assets'), { recursive: true })
  await mkdir(join(home, 'web/img'))
  await mkdir(join(home, 'brand/img'), { recursive: true })
  await writeFile(join(home, 'web/index.html'), BUILT)
  await writeFile(join(home, 'web/sw.js'), 'let worker')
  await writeFile(join(home, 'web/assets/app-1a.js'), 'let built')
  await writeFile(join(home, 'web/assets/app-1a.js.br'), 'brotli bytes')
  await writeFile(join(home, 'web/assets/app-1a.js.gz'), 'gzip bytes')
  await writeFile(join(home, 'web/img/logo.svg'), '<svg/>')
  await writeFile(join(home, 'web/img/other.svg'), '<svg/>')
  await writeFile(join(home, 'brand/img/logo.svg'), '<svg id="own"/>')
  await writeFile(join(home, 'brand/custom.css'), 'b{}')
  await writeFile(join(home, 'brand/secret.png'), 'not in img')
  await writeFile(join(home, 'secret.png'), 'outside')
  await symlink('../../secret.png', join(home, 'brand/img/out.png'))
  await symlink('../..', join(home, 'brand/img/linked'))
  await writeFile(join(home, 'brand/img/notes.html'), '<script>')
})
afterAll(() => rm(home, { recursive: true }))

describe('the page', () => {
  it('loads its files from the base URL on every route', async () => {
    const html = await (await get('/files/a/b%20c/', { StaticURL: '/deep/base/static' })).text()
    expect(html).toContain('src="/deep/base/static/assets/app-1a.js"')
    expect(html).toContain('href="/deep/base/static/img/favicon.svg"')
    expect(html).not.toContain('"./')
  })

  it('shows the frame at once if the user seems to be signed in', async () => {
    const shown = async (path: string, cookie: string): Promise<boolean> =>
      (await (await get(path, {}, { headers: { cookie } })).text()).includes('<div id="app"><div class="boot" aria-hidden="true">')
    for (const path of ['/', '/files/', '/files/a/b.txt', '/settings/profile', '/recent', '/favourites'])
      expect([path, await shown(path, 'a=b; session=x'), await shown(path, 'a=b')]).toEqual([path, true, false])
    for (const path of ['/login', '/share/Ab3xYz12/', '/filesystem', '/403'])
      expect([path, await shown(path, 'session=x')]).toEqual([path, false])
  })

  it('S10: only the page of a link may be framed, by the sites that the operator lists', async () => {
    const framing = async (path: string, framingSites: readonly string[]) => {
      const { headers } = await appOver(join(home, 'web'), path, {}, framingSites).fetch(new Request('http://x/'), { peer: null })
      return [/frame-ancestors ([^;]+)/.exec(headers.get('content-security-policy') ?? '')?.[1], headers.get('x-frame-options')]
    }
    expect(await framing('/share/Ab3xYz12/', ['https://wiki.test', 'https://b.test'])).toEqual(['https://wiki.test https://b.test', null])
    for (const path of ['/files/', '/login', '/shared', '/settings/shares'])
      expect([path, ...(await framing(path, ['https://wiki.test']))]).toEqual([path, "'none'", 'DENY'])
    expect(await framing('/share/Ab3xYz12/', [])).toEqual(["'none'", 'DENY'])
  })

  it('contains its configuration, escaped (GHSA-xfqj-3vmx-63wv)', async () => {
    for (const Name of [
      '</script><script>alert(1)</script>',
      '<!--<script>',
      '</title><img src=x onerror=alert(1)>',
      "$& $' $`",
      '&lt;',
      '\u2028',
    ]) {
      const html = await (await get('/', { Name, Color: '"><script>', StaticURL: '/"x/static' })).text()
      expect([Name, (html.match(/<script/gi) ?? []).length, html.includes('<img')]).toEqual([Name, 2, false])
      expect(JSON.parse(blockOf(html))).toMatchObject({ Name })
    }
  })

  it('is the same for links as for everything else, whatever the URL contains (GHSA-r633-fcgp-m532, CVE-2026-61505)', async () => {
    const pages = await Promise.all(
      ['/', '/share/Ab3xYz12/', '/share/<script>/', '/files/?lang=../../../etc/passwd', '/login?redirect="><script>'].map(async (path) =>
        (await (await get(path)).text()).replace(/nonce="[^"]+" content="[^"]+"/, ''),
      ),
    )
    expect(new Set(pages).size).toBe(1)
  })

  it('has the instance’s name as its title, or the product’s', async () => {
    const named = await (await get('/', { Name: 'A & B' })).text()
    expect(named).toContain('<title>A &amp; B</title>')
    expect(named).toContain('<meta property="og:title" content="A &amp; B" />')
    expect(await (await get('/')).text()).toContain('<title>Satchel</title>')
  })

  it('starts in the configured theme, and links the operator’s stylesheet last', async () => {
    const html = await (await get('/', { Theme: 'dark', CSS: true })).text()
    expect(html).toContain('<html lang="en" class="theme-dark dark">')
    expect(html).toContain('<link rel="stylesheet" href="/static/custom.css" /></head>')
    expect(await (await get('/')).text()).toContain('class="theme-light light"')
    expect(await (await get('/', { Theme: 'system' })).text()).toContain('<html lang="en">')
  })

  it('starts in the theme from the cookie, ignoring invalid values', async () => {
    const told = async (cookie: string) => {
      const html = await (await get('/', { Theme: 'dark' }, { headers: { cookie } })).text()
      return [/<html[^>]*>/.exec(html)?.[0], /name="color-scheme" content="([^"]*)"/.exec(html)?.[1]]
    }
    expect(await told('satchel-theme=light')).toEqual(['<html lang="en" class="theme-light light">', 'light'])
    expect(await told('a=b; satchel-theme=system')).toEqual(['<html lang="en">', 'light dark'])
    for (const odd of ['', 'satchel-theme=%22><script>', 'satchel-theme=__proto__', 'satchel-theme='])
      expect(await told(odd)).toEqual(['<html lang="en" class="theme-dark dark">', 'dark'])
  })

  it('allows scripts from this origin only, and styles with a new nonce each time (I11)', async () => {
    const [first, second] = [await get('/'), await get('/')]
    const policy = first.headers.get('content-security-policy') ?? ''
    const nonce = /content="([^"]+)" \/>/.exec((await first.text()).match(/<meta name="csp-nonce".*/)?.[0] ?? '')?.[1] ?? ''
    expect(nonce).toMatch(/^[\w+/]{22}==$/)
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`)
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(second.headers.get('content-security-policy')).not.toBe(policy)
    expect(first.headers.get('cache-control')).toBe('no-cache, no-store, must-revalidate')
    expect(first.headers.get('x-content-type-options')).toBe('nosniff')
    expect(first.headers.get('x-frame-options')).toBe('DENY')
    expect(first.headers.get('referrer-policy')).toBe('same-origin')
    expect(first.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    for (const sense of ['camera', 'microphone', 'geolocation']) expect(first.headers.get('permissions-policy')).toContain(`${sense}=()`)
  })

  it('requires trusted types, except with a captcha’s foreign script (I11)', async () => {
    const policy = (await get('/')).headers.get('content-security-policy') ?? ''
    expect(policy).toContain(
      "require-trusted-types-for 'script'; trusted-types default satchel-book satchel-offline satchel-order satchel-pdf dompurify 'allow-duplicates'",
    )
    const captcha = { ReCaptcha: true, ReCaptchaHost: 'https://www.google.com/x' }
    expect((await get('/', captcha)).headers.get('content-security-policy')).not.toContain('trusted-types')
  })

  it('allows only the captcha’s folder of its host', async () => {
    const captcha = { ReCaptcha: true, ReCaptchaHost: 'https://www.google.com/x' }
    const policy = (await get('/', captcha)).headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/;")
    expect(policy).toContain("frame-src 'self' blob: https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/;")
    for (const ReCaptchaHost of ["x; script-src 'unsafe-inline'", 'javascript:alert(1)', 'data:x']) {
      const odd = (await get('/', { ReCaptcha: true, ReCaptchaHost })).headers.get('content-security-policy') ?? ''
      expect(odd).toContain("script-src 'self';")
    }
  })

  it('answers GET and HEAD only, and never for the API', async () => {
    expect((await get('/files/', {}, { method: 'HEAD' })).status).toBe(200)
    expect((await get('/files/', {}, { method: 'POST' })).status).toBe(404)
    for (const path of ['/api', '/api/', '/api/nope']) expect([path, (await get(path)).status]).toEqual([path, 404])
  })

  it('explains what to do if the web was not built', async () => {
    const response = await get('/', {}, {}, join(home, 'brand'))
    expect([response.status, await response.text()]).toEqual([503, 'The web is not built: run npm run build\n'])
  })
})

describe('an installed application', () => {
  it('has a manifest at a fixed URL, with all URLs below the base URL', async () => {
    const response = await get('/manifest.webmanifest', { BaseURL: '/deep', StaticURL: '/deep/static', Name: 'Ours', Color: '#123456' })
    expect(response.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache, no-store, must-revalidate')
    expect(await response.json()).toMatchObject({
      id: '/deep/',
      name: 'Ours',
      short_name: 'Ours',
      start_url: '/deep/',
      scope: '/deep/',
      display: 'standalone',
      theme_color: '#123456',
      icons: [
        { src: '/deep/static/img/icons/android-chrome-192x192.png', sizes: '192x192', purpose: 'any' },
        { src: '/deep/static/img/icons/android-chrome-512x512.png', sizes: '512x512', purpose: 'any' },
        { src: '/deep/static/img/icons/maskable-192x192.png', purpose: 'maskable' },
        { src: '/deep/static/img/icons/maskable-512x512.png', purpose: 'maskable' },
      ],
    })
    const html = await (await get('/', { BaseURL: '/deep', StaticURL: '/deep/static' })).text()
    expect(html).toContain('<link rel="manifest" href="/deep/manifest.webmanifest"')
  })

  it('has the product’s name and the theme’s background without branding', async () => {
    expect(await (await get('/manifest.webmanifest')).json()).toMatchObject({ name: 'Satchel', theme_color: '#f1f4f4' })
    expect(await (await get('/manifest.webmanifest', { Theme: 'dark' })).json()).toMatchObject({ background_color: '#0b1113' })
  })

  it('never mixes our icon with the operator’s', async () => {
    await mkdir(join(home, 'brand/img/icons'))
    await writeFile(join(home, 'brand/img/icons/android-chrome-192x192.png'), 'own')
    const purposes = async (): Promise<unknown> =>
      ((await (await get('/manifest.webmanifest')).json()) as { icons: { purpose: string }[] }).icons.map((icon) => icon.purpose)
    expect(await purposes()).toEqual(['any', 'any'])
    await writeFile(join(home, 'brand/img/icons/maskable-512x512.png'), 'own')
    expect(await purposes()).toEqual(['any', 'any', 'maskable', 'maskable'])
    await rm(join(home, 'brand/img/icons'), { recursive: true })
  })

  it('has a service worker in its scope, revalidated each time, with its own policy', async () => {
    const response = await get('/sw.js')
    expect(await response.text()).toBe('let worker')
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache, no-store, must-revalidate')
    expect(response.headers.get('content-security-policy')).toBe("default-src 'self'")
    expect((await get('/static/sw.js')).status).toBe(404)
    expect((await get('/sw.js', {}, {}, join(home, 'brand'))).status).toBe(404)
  })
})

describe('static files', () => {
  it('are cached forever if their name contains a hash, else for a day', async () => {
    const asset = await get('/static/assets/app-1a.js')
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect((await get('/static/img/other.svg')).headers.get('cache-control')).toBe('public, max-age=86400')
  })

  it('are sent compressed to clients that accept it', async () => {
    const encodingFor = async (accepted: string): Promise<string | null> =>
      (await get('/static/assets/app-1a.js', {}, { headers: { 'accept-encoding': accepted } })).headers.get('content-encoding')
    expect(await encodingFor('gzip, deflate, br')).toBe('br')
    expect(await encodingFor('gzip;q=1.0, br;q=0')).toBe('gzip')
    expect(await encodingFor('identity')).toBe(null)
    expect(await encodingFor('brx')).toBe(null)
  })

  it('are not sent again to clients that have them', async () => {
    const etag = (await get('/static/img/other.svg')).headers.get('etag') ?? ''
    expect((await get('/static/img/other.svg', {}, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  it('answer HEAD with the length of GET', async () => {
    const lengthFor = async (path: string, accepted: string): Promise<string | null> =>
      (await get(path, {}, { method: 'HEAD', headers: { 'accept-encoding': accepted } })).headers.get('content-length')
    expect(await lengthFor('/static/assets/app-1a.js', 'identity')).toBe('9')
    expect(await lengthFor('/static/assets/app-1a.js', 'br')).toBe('12')
    expect(Number(await lengthFor('/files/', ''))).toBe((await (await get('/files/')).text()).length)
  })

  it('give worker scripts their own policy', async () => {
    expect((await get('/static/assets/app-1a.js')).headers.get('content-security-policy')).toBe("default-src 'self'")
  })

  it('of the operator take precedence: single images and a stylesheet', async () => {
    expect(await (await get('/static/img/logo.svg')).text()).toContain('own')
    expect((await get('/static/img/other.svg')).status).toBe(200)
    const css = await get('/static/custom.css')
    expect([await css.text(), css.headers.get('cache-control')]).toEqual(['b{}', 'public, no-cache'])
  })

  it('run no scripts when opened directly (I11, CVE-2026-69194)', async () => {
    const policy = (await get('/static/img/logo.svg')).headers.get('content-security-policy') ?? ''
    expect(policy).toContain('sandbox')
    expect(policy).toContain("default-src 'none'")
  })

  it('that were removed after the start are not found', async () => {
    const webDir = join(home, 'later')
    for (const method of ['GET', 'HEAD']) {
      for (const accepted of ['identity', 'br']) {
        await mkdir(join(webDir, 'assets'), { recursive: true })
        for (const suffix of ['', '.br']) await writeFile(join(webDir, `assets/app-2b.js${suffix}`), 'let built')
        const app = appOver(webDir, '/static/assets/app-2b.js')
        await rm(webDir, { recursive: true })
        const request = new Request('http://x/', { method, headers: { 'accept-encoding': accepted } })
        expect((await app.fetch(request, { peer: null })).status).toBe(404)
      }
    }
  })

  it('allow no path traversal, and serve no folder, page or backup copy (GHSA-pxfv-7rr3-2qjg)', async () => {
    for (const name of [
      '',
      'img',
      'img/',
      'index.html',
      'sw.js',
      'img/../custom.css',
      'img/notes.html',
      'img/linked/secret.png',
      'assets/app-1a.js.br',
      '../index.html',
      '%2e%2e/secret.png',
      'img/%2e%2e/secret.png',
      'img/..%2fsecret.png',
      'img/..%2f..%2fsecret.png',
      'img/%2e%2e%2fsecret.png',
      'img//logo.svg',
      'img/./logo.svg',
      'img/..%5csecret.png',
      'img/logo.svg%00.png',
      'img/%',
      'img/%ff.png',
      'img/out.png',
      'secret.png',
      '%2fetc/passwd',
      'img/.hidden.png',
    ]) {
      expect([name, (await get(`/static/${name}`)).status]).toEqual([name, 404])
    }
    expect((await get('/static/img/logo.svg', {}, { method: 'POST' })).status).toBe(404)
  })
})

const BUILT = `<!doctype html>
<html lang="en">
  <head>
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" content="#fff" />
    <meta name="apple-mobile-web-app-title" content="Satchel" />
    <meta property="og:title" content="Satchel" />
    <meta name="csp-nonce" content="" />
    <title>Satchel</title>
    <link rel="manifest" href="./manifest.webmanifest" />
    <link rel="icon" href="./img/favicon.svg" />
    <script type="application/json" id="page-config"></script>
    <script type="module" crossorigin src="./assets/app-1a.js"></script>
  </head>
  <body><div id="app"></div></body>
</html>`

const CONFIG: PageConfig = {
  AuthMethod: 'json',
  BaseURL: '',
  CSS: false,
  Color: '',
  Directories: false,
  DisableExternal: false,
  DisableUsedPercentage: false,
  EnableExec: false,
  EnableThumbs: true,
  HideLoginButton: true,
  LoginPage: true,
  LogoutPage: '/login',
  MinimumPasswordLength: 12,
  Name: '',
  NoAuth: false,
  Passkeys: false,
  PasswordReset: false,
  Providers: [],
  ProvidersOnly: false,
  ReCaptcha: false,
  ResizePreview: true,
  Snapshots: false,
  Signup: false,
  StaticURL: '/static',
  Theme: '',
  TusSettings: { chunkSize: 1, retryCount: 1 },
  Version: '1',
  WebDAV: true,
}

function blockOf(html: string): string {
  return /<script type="application\/json" id="page-config">(.*?)<\/script>/s.exec(html)?.[1] ?? ''
}

/** Like a client that sends a path as it is, without tidying it up. */
async function get(path: string, config: Partial<PageConfig> = {}, init: RequestInit = {}, webDir = join(home, 'web')): Promise<Response> {
  const app = appOver(webDir, path, config)
  return app.fetch(new Request(`http://x${rawPath('http://x/')}`, init), { peer: null })
}

function appOver(webDir: string, path: string, config: Partial<PageConfig> = {}, framingSites: readonly string[] = []): Router {
  const app = createRouter({ placeOf: () => ({ path, share: null, viewing: null }) })
  app.onError((error) => errorResponse(incidentFrom(error, console.error), ''))
  mountStatic(app, { webDir, brandingDir: async () => join(home, 'brand') })
  mountPage(app, {
    webDir,
    sessionCookie: 'session',
    framingSites,
    pageConfig: async () => ({ ...CONFIG, ...config }),
    isOwn: (name) => isBrandedFile(join(home, 'brand'), name),
  })
  return app
}

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import type { PageConfig } from '../../shared/contract/page-config.ts'
import { fail } from '../../shared/errors.ts'
import { NO_STORE, pageHeaders, workerHeaders } from './headers.ts'
import { MANIFEST, manifestOf, SERVICE_WORKER } from './manifest.ts'
import type { Env } from './mount.ts'
import { renderPage, THEME_COOKIE } from './page-html.ts'

export interface PageDeps {
  /** Where the build put the web application. */
  readonly webDir: string
  /** The current configuration, read for every page. */
  readonly pageConfig: () => Promise<PageConfig>
  /** Whether the branding folder has a picture of that name, such as `img/logo.svg`. */
  readonly isOwn: (name: string) => Promise<boolean>
  /** The name of the session cookie. */
  readonly sessionCookie: string
  /** Origins that may frame the pages of links. */
  readonly framingSites?: readonly string[]
}

/** Pages that have the frame. */
const FRAMED = /^\/(files|settings|favourites|recent)(\/|$)|^\/$/

/** Every other address belongs to the web application, which reads the address itself. Mount it last. */
export function mountPage(app: Hono<Env>, { webDir, pageConfig, isOwn, sessionCookie, framingSites = [] }: PageDeps): void {
  const template = read(join(webDir, 'index.html'))
  const worker = read(join(webDir, 'sw.js'))
  app.get('/robots.txt', (c) => c.text('User-agent: *\nDisallow: /\n'))
  app.get(MANIFEST, async (c) => {
    const manifest = JSON.stringify(await manifestOf(await pageConfig(), isOwn))
    return c.body(manifest, 200, { 'content-type': 'application/manifest+json; charset=utf-8', 'cache-control': NO_STORE })
  })
  app.get(SERVICE_WORKER, (c) => (worker === null ? fail('not-found', {}) : c.body(worker, 200, workerHeaders())))
  app.get('*', async (c) => {
    if (/^\/api(\/|$)/.test(c.get('path'))) fail('not-found', {})
    if (template === null) return c.text('The web is not built: run npm run build\n', 503)
    const config = await pageConfig()
    const nonce = randomBytes(16).toString('base64')
    const captchaHost = config.ReCaptcha ? (config.ReCaptchaHost ?? null) : null
    const framed = FRAMED.test(c.get('path')) && getCookie(c, sessionCookie) !== undefined
    const framedBy = c.get('path').startsWith('/share/') ? framingSites : []
    const html = renderPage(template, { config, nonce, framed, chosenTheme: getCookie(c, THEME_COOKIE) })
    // HEAD is answered here too; otherwise its length would be sent as 0.
    return c.html(html, 200, { ...pageHeaders({ nonce, captchaHost, framedBy }), 'content-length': String(Buffer.byteLength(html)) })
  })
  app.all('*', () => fail('not-found', {}))
}

/** Null if the web application was not built. */
function read(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

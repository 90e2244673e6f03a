import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PageConfig } from '../../shared/contract/page-config.ts'
import { fail } from '../../shared/errors.ts'
import { cookiesNamed } from './cookies.ts'
import { NO_STORE, pageHeaders, workerHeaders } from './headers.ts'
import { MANIFEST, manifestOf, SERVICE_WORKER } from './manifest.ts'
import { renderPage, THEME_COOKIE } from './page-html.ts'
import type { Router } from './router.ts'
import { shareAddress } from './through-share.ts'
import { viewingAddress } from './while-viewing.ts'

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
export function mountPage(app: Router, { webDir, pageConfig, isOwn, sessionCookie, framingSites = [] }: PageDeps): void {
  const template = read(join(webDir, 'index.html'))
  const worker = read(join(webDir, 'sw.js'))
  app.get('/robots.txt', () => textResponse('User-agent: *\nDisallow: /\n'))
  app.get(MANIFEST, async () => {
    const manifest = JSON.stringify(await manifestOf(await pageConfig(), isOwn))
    return new Response(manifest, { headers: { 'content-type': 'application/manifest+json; charset=utf-8', 'cache-control': NO_STORE } })
  })
  app.get(SERVICE_WORKER, () => (worker === null ? fail('not-found', {}) : new Response(worker, { headers: workerHeaders() })))
  app.get('*', async ({ path, request, share, viewing }) => {
    if (/^\/api(\/|$)/.test(path)) fail('not-found', {})
    if (template === null) return textResponse('The web is not built: run npm run build\n', 503)
    const config = within(await pageConfig(), { share, viewing })
    const nonce = randomBytes(16).toString('base64')
    const captchaHost = config.ReCaptcha ? (config.ReCaptchaHost ?? null) : null
    const [session] = cookiesNamed(sessionCookie, request)
    const [chosenTheme] = cookiesNamed(THEME_COOKIE, request)
    const framedBy = path.startsWith('/share/') ? framingSites : []
    const html = renderPage(template, { config, nonce, framed: FRAMED.test(path) && session !== undefined, chosenTheme })
    const headers = { ...pageHeaders({ nonce, captchaHost, framedBy }), 'content-type': 'text/html; charset=UTF-8' }
    // Without it, the length of a response to HEAD would be sent as 0.
    return new Response(html, { headers: { ...headers, 'content-length': String(Buffer.byteLength(html)) } })
  })
  app.all('*', () => fail('not-found', {}))
}

/** The application within a share with people, or as somebody else sees it, is the same, below another address. */
function within(config: PageConfig, { share, viewing }: { share: string | null; viewing: string | null }): PageConfig {
  if (viewing !== null) return { ...config, BaseURL: config.BaseURL + viewingAddress(viewing), ViewAs: viewing }
  return share === null ? config : { ...config, BaseURL: config.BaseURL + shareAddress(share), WithMe: share }
}

function textResponse(text: string, status = 200): Response {
  return new Response(text, { status, headers: { 'content-type': 'text/plain; charset=UTF-8' } })
}

/** Null if the web application was not built. */
function read(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

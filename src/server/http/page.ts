import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hono } from 'hono'
import type { PageConfig } from '../../shared/contract/page-config.ts'
import { fail } from '../../shared/errors.ts'
import { pageHeaders } from './headers.ts'
import type { Env } from './mount.ts'
import { renderPage } from './page-html.ts'

export interface PageDeps {
  /** Where the build put the web. */
  readonly webDir: string
  /** As it is now; asked at every page. */
  readonly pageConfig: () => Promise<PageConfig>
}

/** Every address that is nothing else is the application's; it reads the address itself. Mount it last. */
export function mountPage(app: Hono<Env>, { webDir, pageConfig }: PageDeps): void {
  const template = readTemplate(webDir)
  app.get('/robots.txt', (c) => c.text('User-agent: *\nDisallow: /\n'))
  app.get('*', async (c) => {
    if (/^\/api(\/|$)/.test(c.get('path'))) fail('not-found', {})
    if (template === null) return c.text('The web is not built: run npm run build\n', 503)
    const config = await pageConfig()
    const nonce = randomBytes(16).toString('base64')
    const captchaHost = config.ReCaptcha ? (config.ReCaptchaHost ?? null) : null
    const html = renderPage(template, { config, nonce })
    // HEAD is answered here too, and its length would else be told as nothing.
    return c.html(html, 200, { ...pageHeaders({ nonce, captchaHost }), 'content-length': String(Buffer.byteLength(html)) })
  })
  app.all('*', () => fail('not-found', {}))
}

function readTemplate(webDir: string): string | null {
  const file = join(webDir, 'index.html')
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

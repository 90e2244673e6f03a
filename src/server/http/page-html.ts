import { type PageConfig, PAGE_CONFIG_ID } from '../../shared/contract/page-config.ts'
import { MANIFEST } from './manifest.ts'

export interface PageValues {
  readonly config: PageConfig
  /** Allows this page's own style elements. */
  readonly nonce: string
  /** The theme chosen in this browser; the branding's theme if there is no valid one. */
  readonly chosenTheme?: string | undefined
  /** Whether a frame is shown until the code has loaded: for signed-in users, on pages that have one. */
  readonly framed?: boolean
}

/** The web application stores the browser's theme in it, so that no other theme flashes while the code loads. */
export const THEME_COOKIE = 'satchel-theme'
const THEMES = ['light', 'dark', 'system']

/** The built page, filled in: addresses under the base URL, configuration, title, theme, colour and the operator's stylesheet. */
export function renderPage(template: string, { config, nonce, chosenTheme = '', framed = false }: PageValues): string {
  const theme = THEMES.includes(chosenTheme) ? chosenTheme : config.Theme
  const stylesheet = config.CSS ? `<link rel="stylesheet" href="${attribute(config.StaticURL)}/custom.css" />` : ''
  const name = config.Name === '' ? 'Satchel' : config.Name
  // Functions, because `$` has a meaning in replacement text.
  return (
    template
      .replace(`href=".${MANIFEST}"`, () => `href="${attribute(config.BaseURL)}${MANIFEST}"`)
      .replace(/(\s(?:src|href)=")\.\//g, (_, start: string) => `${start}${attribute(config.StaticURL)}/`)
      .replace(/<html([^>]*)>/, (_, rest: string) => `<html${rest}${themeClass(theme)}>`)
      .replace(/<title>[^<]*<\/title>/, () => `<title>${content(name)}</title>`)
      .replace(metaTag('color-scheme'), () => `<meta name="color-scheme" content="${schemesOf(theme)}" />`)
      .replace(metaTag('csp-nonce'), () => `<meta name="csp-nonce" property="csp-nonce" nonce="${nonce}" content="${nonce}" />`)
      .replace(metaTag('apple-mobile-web-app-title'), () => `<meta name="apple-mobile-web-app-title" content="${attribute(name)}" />`)
      // The title in link previews, which reveals nothing about the content of the link.
      .replace(/<meta property="og:title"[^>]*>/, () => `<meta property="og:title" content="${attribute(name)}" />`)
      .replace(metaTag('theme-color'), (tag) =>
        config.Color === '' ? tag : `<meta name="theme-color" content="${attribute(config.Color)}" />`,
      )
      .replace(configTag, () => `<script type="application/json" id="${PAGE_CONFIG_ID}">${json(config)}</script>`)
      .replace('</head>', () => `${stylesheet}</head>`)
      .replace('<div id="app"></div>', (place) => (framed ? `<div id="app">${frame(config.StaticURL)}</div>` : place))
  )
}

/** Nothing to read or use; removed by the first render (boot.css). */
function frame(staticUrl: string): string {
  return `<div class="boot" aria-hidden="true"><img src="${attribute(staticUrl)}/img/logo.svg" alt="" /><div></div></div>`
}

const configTag = new RegExp(`<script type="application/json" id="${PAGE_CONFIG_ID}"></script>`)

function metaTag(name: string): RegExp {
  return new RegExp(`<meta name="${name}"[^>]*>`)
}

/** The background before any style has loaded. */
function schemesOf(theme: string): string {
  if (theme === 'system') return 'light dark'
  return theme === 'dark' ? 'dark' : 'light'
}

/** Empty means light; `system` leaves it to the browser. The second class is the predecessor's, for stylesheets written for it. */
function themeClass(theme: string): string {
  if (theme === 'system') return ''
  return theme === 'dark' ? ' class="theme-dark dark"' : ' class="theme-light light"'
}

/** Inside a script element only `<` can end it. */
function json(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

function content(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function attribute(text: string): string {
  return content(text).replaceAll('"', '&quot;')
}

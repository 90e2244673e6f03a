import { create } from 'zustand'
import { pageConfig } from './page-config.ts'

export type Theme = 'light' | 'dark' | 'system'

const STORAGE_KEY = 'theme'
/** The server (server/http/page-html.ts) reads it and renders the page in this theme. */
const COOKIE = 'satchel-theme'
const COOKIE_KEPT_SECONDS = 365 * 24 * 3600
const CANVAS = { light: '#f1f4f4', dark: '#0b1113' }

/** The current theme: this browser's choice, otherwise branding's, where empty means light. */
export const useTheme = create<{ theme: Theme }>(() => ({ theme: startTheme() }))

/** Stored per browser, not per user. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORAGE_KEY, theme)
  setThemeCookie(theme)
  useTheme.setState({ theme })
  showTheme()
}

/** Writes the theme onto the page, and the colour of the site, which the accent is made of (ui/tokens.css). */
export function showTheme(): void {
  const { theme } = useTheme.getState()
  const root = document.documentElement
  root.classList.toggle('theme-light', theme === 'light')
  root.classList.toggle('theme-dark', theme === 'dark')
  const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  // File Browser's class, for custom stylesheets.
  root.classList.toggle('dark', dark)
  root.classList.toggle('light', !dark)
  const brand = pageConfig.Color
  // Settings take any word: it may be no colour.
  const hasBrand = brand !== '' && CSS.supports('color', brand)
  root.toggleAttribute('data-brand', hasBrand)
  if (hasBrand) root.style.setProperty('--brand', brand)
  const bar = document.querySelector('meta[name="theme-color"]')
  bar?.setAttribute('content', brand !== '' ? brand : dark ? CANVAS.dark : CANVAS.light)
}

function startTheme(): Theme {
  const chosen = globalThis.localStorage?.getItem(STORAGE_KEY) ?? null
  const wanted = chosen ?? pageConfig.Theme
  const theme = wanted === 'dark' || wanted === 'system' ? wanted : 'light'
  // Renewed at every start: browsers limit the lifetime of cookies.
  if (chosen !== null) setThemeCookie(theme)
  return theme
}

function setThemeCookie(theme: Theme): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${COOKIE}=${theme}; Path=${pageConfig.BaseURL || '/'}; Max-Age=${COOKIE_KEPT_SECONDS}; SameSite=Lax${secure}`
}

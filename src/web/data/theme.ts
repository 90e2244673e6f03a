import { create } from 'zustand'
import { pageConfig } from './page-config.ts'

export type Theme = 'light' | 'dark' | 'system'

const STORAGE_KEY = 'theme'
/** The server reads it (server/http/page-html.ts) and sends the page in this theme from its first byte. */
const COOKIE = 'satchel-theme'
const COOKIE_KEPT_SECONDS = 365 * 24 * 3600
const CANVAS = { light: '#f1f4f4', dark: '#0b1113' }

/** The theme on show: this browser's choice, else branding's, where empty means light. */
export const useTheme = create<{ theme: Theme }>(() => ({ theme: startTheme() }))

/** Kept in this browser: the same person may sit in the sun with one device and in bed with another. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORAGE_KEY, theme)
  setThemeCookie(theme)
  useTheme.setState({ theme })
  showTheme()
}

/** Writes the theme onto the page. */
export function showTheme(): void {
  const { theme } = useTheme.getState()
  const root = document.documentElement
  root.classList.toggle('theme-light', theme === 'light')
  root.classList.toggle('theme-dark', theme === 'dark')
  const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  // The predecessor's class, for stylesheets made for it.
  root.classList.toggle('dark', dark)
  root.classList.toggle('light', !dark)
  const bar = document.querySelector('meta[name="theme-color"]')
  bar?.setAttribute('content', pageConfig.Color !== '' ? pageConfig.Color : dark ? CANVAS.dark : CANVAS.light)
}

function startTheme(): Theme {
  const chosen = globalThis.localStorage?.getItem(STORAGE_KEY) ?? null
  const wanted = chosen ?? pageConfig.Theme
  const theme = wanted === 'dark' || wanted === 'system' ? wanted : 'light'
  // Once more at every start: browsers keep cookies for a year or less.
  if (chosen !== null) setThemeCookie(theme)
  return theme
}

function setThemeCookie(theme: Theme): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${COOKIE}=${theme}; Path=${pageConfig.BaseURL || '/'}; Max-Age=${COOKIE_KEPT_SECONDS}; SameSite=Lax${secure}`
}

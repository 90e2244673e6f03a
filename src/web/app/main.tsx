import '../ui/tokens.css'
import '../ui/fonts.css'
import '../ui/base.css'
import '../ui/boot.css'
import { createRoot } from 'react-dom/client'
import { setLanguage } from '../i18n/i18n.tsx'
import { pickLanguage } from '../i18n/languages.ts'
import { prefetchFirstFolder } from '../data/prefetch.ts'
import { pageConfig } from '../data/page-config.ts'
import { startSession, storedToken, useSession } from '../data/session.ts'
import { showTheme } from '../data/theme.ts'
import { showDensity } from '../data/view.ts'
import { whenIdle } from '../data/when-idle.ts'
import { App } from './app.tsx'
import { reportUnexpected } from './report.ts'
import { createAppHistory, fetchPlace } from './router.tsx'
import { reloadOnceAfterUpgrade } from './lazy-screen.tsx'

showTheme()
showDensity()
reloadOnceAfterUpgrade()
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showTheme)
useSession.subscribe((now, before) => {
  if (now.user?.locale !== before.user?.locale) void showLanguage()
})
void start()

/** Not awaited by the module: what is imported in here waits for the module to end. */
async function start(): Promise<void> {
  const history = createAppHistory()
  prefetchFirstFolder(history.location().pathname)
  const gate = pageConfig.ReCaptcha ? import('./captcha-gate.tsx') : null
  const code = fetchPlace(firstPlace(history.location().pathname))
  // Drawn in one go when its code is there in time; a slow line sees that something is on its way.
  await Promise.all([startSession(), showLanguage(), Promise.race([code, patience()])])
  const place = document.getElementById('app')
  if (place === null) throw new Error('the page has no #app')
  await (await gate)?.passCaptchaGate(place)
  // A boundary that shows what went wrong has said it; only what nobody expected belongs in the console.
  createRoot(place, { onCaughtError: reportUnexpected }).render(<App history={history} />)
  void fetchWhenIdle()
}

const CODE_AWAITED_MS = 1000

function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, CODE_AWAITED_MS))
}

/** Where one will be: who has no session from last time is sent to the sign-in page from anywhere but a share. */
function firstPlace(pathname: string): string {
  const mayHaveSession = !pageConfig.LoginPage || storedToken() !== null
  return mayHaveSession || pathname.startsWith('/share/') ? pathname : '/login'
}

/** Dialogs and menus, and what the browser keeps for the next start: wanted soon, but after the first rows. */
async function fetchWhenIdle(): Promise<void> {
  await whenIdle(5000)
  void Promise.all([import('../ui/menu-popup.tsx'), import('../ui/dialog.tsx')]).catch(() => undefined)
  void import('./offline.ts').then(({ prepareOffline }) => prepareOffline()).catch(() => undefined)
}

/** The user's language, else the browser's. */
function showLanguage(): Promise<void> {
  return setLanguage(pickLanguage(useSession.getState().user?.locale ?? '', navigator.languages))
}

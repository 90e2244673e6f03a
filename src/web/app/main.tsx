import '../ui/tokens.css'
import '../ui/fonts.css'
import '../ui/base.css'
import '../ui/shared.css'
import '../ui/boot.css'
import { createRoot } from 'react-dom/client'
import { setLanguage } from '../i18n/i18n.tsx'
import { pickLanguage } from '../../shared/languages.ts'
import { prefetchFirstFolder } from '../data/prefetch.ts'
import { pageConfig } from '../data/page-config.ts'
import { startSession, storedToken, useSession } from '../data/session.ts'
import { showTheme } from '../data/theme.ts'
import { showDensity } from '../data/view.ts'
import { whenIdle } from '../data/when-idle.ts'
import { App } from './app.tsx'
import { isAppError } from '../../shared/errors.ts'
import { createAppHistory, preloadRoute } from './router.tsx'
import { reloadOnceAfterUpgrade } from './lazy-screen.tsx'

showTheme()
showDensity()
reloadOnceAfterUpgrade()
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showTheme)
useSession.subscribe((now, before) => {
  if (now.user?.locale !== before.user?.locale) void showLanguage()
})
void start()

/** Not awaited at the top level: imported modules wait until this module has been evaluated. */
async function start(): Promise<void> {
  const history = createAppHistory()
  prefetchFirstFolder(history.location().pathname)
  const gate = pageConfig.ReCaptcha ? import('./captcha-gate.tsx') : null
  const code = preloadRoute(initialPath(history.location().pathname))
  // Renders in one step if the code arrives in time; on a slow connection the loading state shows.
  await Promise.all([startSession({ isReturning: isReturning(history.location()) }), showLanguage(), Promise.race([code, patience()])])
  const root = document.getElementById('app')
  if (root === null) throw new Error('the page has no #app')
  await (await gate)?.passCaptchaGate(root)
  // Error boundaries show known errors; only unexpected ones are logged.
  createRoot(root, { onCaughtError: reportUnexpected }).render(<App history={history} />)
  void fetchWhenIdle()
}

const CODE_AWAITED_MS = 1000

function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, CODE_AWAITED_MS))
}

/** The first route: the sign-in page for visitors without a stored session, except on share pages. */
function initialPath(pathname: string): string {
  const mayHaveSession = !pageConfig.LoginPage || storedToken() !== null
  return mayHaveSession || pathname.startsWith('/share/') ? pathname : '/login'
}

/** Whether a provider has led back here, to a sign-in that the sign-in page finishes. */
function isReturning({ pathname, search }: { pathname: string; search: string }): boolean {
  return pathname === '/login' && new URLSearchParams(search).has('provider')
}

/** Loads dialogs, menus and the offline page after the first rows. */
async function fetchWhenIdle(): Promise<void> {
  await whenIdle(5000)
  void Promise.all([import('../ui/menu-popup.tsx'), import('../ui/dialog.tsx')]).catch(() => undefined)
  // The one of the own tree serves these pages too.
  if (pageConfig.WithMe !== undefined) return
  void import('./offline.ts').then(({ prepareOffline }) => prepareOffline()).catch(() => undefined)
}

/** The user's language, otherwise the browser's. */
function showLanguage(): Promise<void> {
  return setLanguage(pickLanguage(useSession.getState().user?.locale ?? '', navigator.languages))
}

/** Application errors are shown to the user; anything else is a bug and is logged. */
function reportUnexpected(error: unknown): void {
  if (!isAppError(error)) console.error(error)
}

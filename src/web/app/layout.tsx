import { useIsFetching } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { lazyPart } from '../i18n/lazy-part.ts'
import { Outlet, useLocation } from '../router/router.tsx'
import { pageConfig } from '../data/page-config.ts'
import { whenIdle } from '../data/when-idle.ts'
import { inTime } from '../data/chunks.ts'
import { ask, isAsking, registerPrompts } from '../data/prompts.ts'
import { useSession } from '../data/session.ts'
import { CURRENT_VIEWING } from '../data/share-context.ts'
import { hasUnsaved } from '../data/unsaved.ts'
import { useEndedShare } from '../data/with-me.ts'
import { t } from '../i18n/i18n.tsx'
import { usePhone } from '../ui/use-media.ts'
import { usePageEvent } from '../ui/use-page-event.ts'
import { Drawer } from './drawer.tsx'
import { useFocusOnArrival } from './guards.tsx'
import { Header } from './header.tsx'
import styles from './layout.module.css'
import { isPaletteKey, usePaletteOpener } from './palette/open.ts'
import { Sidebar } from './sidebar.tsx'
import { SkipLink } from './skip-link.tsx'
import { useDocumentTitle } from './title.ts'
import { useUndo } from './undo/use-undo.ts'

// Dialogs for signed-in users.
registerPrompts({
  help: lazyPart(async () => (await inTime(import('./help-dialog.tsx'))).HelpDialog),
  palette: lazyPart(async () => (await inTime(import('./palette/palette.tsx'))).Palette),
  'upload-conflict': lazyPart(async () => (await inTime(import('./uploads/conflict-dialog.tsx'))).UploadConflictDialog),
  'share-edit': lazyPart(async () => (await inTime(import('./shares/edit-dialog.tsx'))).ShareEditDialog),
  'share-visits': lazyPart(async () => (await inTime(import('./shares/visits-dialog.tsx'))).ShareVisitsDialog),
  'share-end': lazyPart(async () => (await inTime(import('./shares/end-dialog.tsx'))).ShareEndDialog),
  'choose-folder': lazyPart(async () => (await inTime(import('./choose-folder-dialog.tsx'))).ChooseFolderDialog),
  passwordLink: lazyPart(async () => (await inTime(import('./password-link-dialog.tsx'))).PasswordLinkDialog),
  notices: lazyPart(async () => (await inTime(import('./notices-dialog.tsx'))).NoticesDialog),
})

/** The files screens have their own search, which knows the current folder. */
const SearchAnywhere = lazyPart(async () => (await import('../screens/files/search/search-anywhere.tsx')).SearchAnywhere)
const Arrivals = lazyPart(
  async () => (await import('./shares/arrivals.ts')).Arrivals,
  () => whenIdle(2000),
)
const ViewingBanner = lazyPart(async () => (await import('./viewing/viewing-banner.tsx')).ViewingBanner)
const ShareEnded = lazyPart(async () => (await inTime(import('./shares/share-ended.tsx'))).ShareEnded)
const ShellFrame = lazyPart(async () => (await import('./shell/shell-frame.tsx')).ShellFrame)

/** Page layout: header, sidebar, main area. */
export function Layout() {
  useDocumentTitle()
  useFrameKeys()
  useUndo()
  const main = useRef<HTMLElement>(null)
  useFocusOnArrival(main)
  const phone = usePhone()
  const online = useOnline()
  const { pathname } = useLocation()
  const mayShell = useSession(({ user }) => pageConfig.EnableExec && user !== null && (user.perm.admin || user.perm.execute))
  const isSignedIn = useSession(({ user }) => user !== null)
  const isElsewhere = isSignedIn && !pathname.startsWith('/files')
  const [drawer, setDrawer] = useState(false)

  // Navigation closes the drawer.
  useEffect(() => setDrawer(false), [pathname])

  return (
    <div className={styles.frame} data-part="frame">
      <SkipLink />
      <PendingBar />
      <Header onMenu={() => setDrawer(true)} />
      {phone ? (
        <Drawer open={drawer} onClose={() => setDrawer(false)}>
          <Sidebar onChoice={() => setDrawer(false)} />
        </Drawer>
      ) : (
        <div className={styles.rail}>
          <Sidebar />
        </div>
      )}
      <main ref={main} id="main" className={styles.sheet} data-part="sheet" tabIndex={-1}>
        {CURRENT_VIEWING !== null && (
          <Suspense>
            <ViewingBanner />
          </Suspense>
        )}
        <Place />
        {!online && (
          <p className={styles.offline} role="status">
            {t('frame.offline')}
          </p>
        )}
      </main>
      {isElsewhere && (
        <Suspense>
          <SearchAnywhere />
        </Suspense>
      )}
      {isSignedIn && CURRENT_VIEWING === null && (
        <Suspense>
          <Arrivals />
        </Suspense>
      )}
      {mayShell && (
        <Suspense>
          <ShellFrame />
        </Suspense>
      )}
    </div>
  )
}

/** The current screen, unless the share that it is in has ended. What is unsaved stays on show. */
function Place() {
  const ended = useEndedShare()
  if (ended === null || hasUnsaved()) return <Outlet />
  return (
    <Suspense>
      <ShareEnded {...ended} />
    </Suspense>
  )
}

/** Thin progress bar at the top; shown only for long waits. */
function PendingBar() {
  const busy = useIsFetching() > 0
  return busy && <div className={styles.pending} data-part="pending" aria-hidden />
}

function useFrameKeys(): void {
  const openPalette = usePaletteOpener()
  usePageEvent('keydown', (event) => {
    const open = event.key === 'F1' ? () => void ask('help', {}) : isPaletteKey(event) ? openPalette : null
    if (open === null || event.defaultPrevented) return
    event.preventDefault()
    if (!isAsking()) open()
  })
}

/** Whether the browser is online. */
function useOnline(): boolean {
  return useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)
}

function subscribeToNetwork(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

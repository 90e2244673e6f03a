import { type ComponentType, lazy, Suspense, useState } from 'react'
import { inTime } from '../data/chunks.ts'
import { pageConfig } from '../data/page-config.ts'
import { loadLateMessages } from '../i18n/i18n.tsx'
import { ScreenLoading } from './screen-loading.tsx'

/** A screen whose code arrives when it is first shown, or before. */
export type LazyScreen<Props extends object> = ComponentType<Props> & { fetch: () => Promise<unknown> }

/** One that comes `first` says only what the first page can say anyway; the others bring the rest of the messages along. */
export function lazyScreen<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { first = false }: { first?: boolean } = {},
): LazyScreen<Props> {
  // What is here already is drawn at once: a spinner that was shown, even for a moment, stays for a while.
  let here: ComponentType<Props> | null = null
  const fetch = async () => {
    const [screen] = await inTime(Promise.all([load(), first ? undefined : loadLateMessages()]))
    here = screen
    return screen
  }
  function LazyScreen(props: Props) {
    // Kept above the suspense boundary: a new one on each attempt, or a failure would be remembered.
    const [Screen] = useState(() => here ?? lazy(async () => ({ default: await fetch() })))
    return (
      <Suspense fallback={<ScreenLoading />}>
        <Screen {...props} />
      </Suspense>
    )
  }
  return Object.assign(LazyScreen, { fetch })
}

/** Longer than a browser takes to break off what is on its way when somebody leaves. */
const LEAVING_MS = 1000

/** After an upgrade the old page asks for files that are gone: reload, but once for each build. */
export function reloadOnceAfterUpgrade(): void {
  // Firefox tells of files that it broke off because somebody leaves: a reload then would keep them here.
  let leaving = false
  addEventListener('beforeunload', () => {
    leaving = true
    // Should they stay after all.
    setTimeout(() => (leaving = false), LEAVING_MS)
  })
  // This very file's address carries the hash of the build.
  const build = import.meta.url
  const isToReload = () => !leaving && navigator.onLine && sessionStorage.getItem('reloaded') !== build
  const reload = async (): Promise<void> => {
    // A server that is away lacks no file: what is on show stays until it is back.
    if (!isToReload() || !(await isServerThere()) || !isToReload()) return
    sessionStorage.setItem('reloaded', build)
    location.reload()
  }
  addEventListener('vite:preloadError', () => void reload())
}

async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch(`${pageConfig.BaseURL}/health`, { cache: 'no-store' })).ok
  } catch {
    return false
  }
}

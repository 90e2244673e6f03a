import { type ComponentType, lazy, Suspense, useState } from 'react'
import { inTime } from '../data/chunks.ts'
import { ScreenLoading } from './screen-loading.tsx'

/** A screen whose code arrives when it is first shown. */
export function lazyScreen<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return function LazyScreen(props: Props) {
    // Kept above the suspense boundary: a new one on each attempt, or a failure would be remembered.
    const [Screen] = useState(() => lazy(async () => ({ default: await inTime(load()) })))
    return (
      <Suspense fallback={<ScreenLoading />}>
        <Screen {...props} />
      </Suspense>
    )
  }
}

/** After an upgrade the old page asks for files that are gone: reload, but once for each build. */
export function reloadOnceAfterUpgrade(): void {
  addEventListener('vite:preloadError', (event) => {
    // This very file's address carries the hash of the build.
    const build = import.meta.url
    if (!navigator.onLine || sessionStorage.getItem('reloaded') === build) return
    sessionStorage.setItem('reloaded', build)
    event.preventDefault()
    location.reload()
  })
}

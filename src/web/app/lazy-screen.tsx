import { type ComponentType, lazy, Suspense, useState } from 'react'
import { inTime } from '../data/chunks.ts'
import { lazyPart } from '../i18n/lazy-part.ts'
import { ScreenLoading } from './screen-loading.tsx'

/** A screen whose code arrives when it is first shown. One that comes `first` says only what the first page can say anyway. */
export function lazyScreen<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { first = false }: { first?: boolean } = {},
): ComponentType<Props> {
  return function LazyScreen(props: Props) {
    // Kept above the suspense boundary: a new one on each attempt, or a failure would be remembered.
    const [Screen] = useState(() => (first ? lazy(async () => ({ default: await inTime(load()) })) : lazyPart(() => inTime(load()))))
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

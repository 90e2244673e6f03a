import { type ComponentType, lazy, Suspense, useState } from 'react'
import { CHUNK_LOAD_TIMEOUT_MS } from '../../shared/limits.ts'
import { ScreenLoading } from './screen-loading.tsx'

/** Thrown when a part of the program does not arrive. */
export class ChunkMissing extends Error {
  override readonly name = 'ChunkMissing'
}

/** A screen whose code arrives when it is first shown; an import cannot be cancelled, so it races a clock (spec §9). */
export function lazyScreen(load: () => Promise<ComponentType>): ComponentType {
  return function LazyScreen() {
    // Kept above the suspense boundary: a new one on each attempt, or a failure would be remembered.
    const [Screen] = useState(() => lazy(async () => ({ default: await inTime(load()) })))
    return (
      <Suspense fallback={<ScreenLoading />}>
        <Screen />
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

async function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkMissing('timed out')), CHUNK_LOAD_TIMEOUT_MS)
  })
  try {
    return await Promise.race([promise, late])
  } catch (cause) {
    throw cause instanceof ChunkMissing ? cause : new ChunkMissing('failed', { cause })
  } finally {
    clearTimeout(timer)
  }
}

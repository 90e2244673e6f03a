import { useEffect, useMemo, useRef, useState } from 'react'
import type { watchFolderSizes, FolderSizes } from '../../../data/folder-sizes.ts'
import type { Listing } from '../../../data/listing.ts'
import { useView } from '../../../data/view.ts'

/** Adds folder sizes to the listing, if they are shown and known. */
export function useFolderSizes(listing: Listing): Listing {
  const on = useView(({ folderSizes }) => folderSizes)
  const [shown, setShown] = useState<FolderSizes | null>(null)
  const following = useRef<ReturnType<typeof watchFolderSizes> | null>(null)
  const { path, names } = listing
  // Requests from the server.
  useEffect(() => {
    if (!on) return
    const left = new AbortController()
    const { signal } = left
    const follow = async (): Promise<void> => {
      const sizes = await import('../../../data/folder-sizes.ts')
      if (!signal.aborted) following.current = sizes.watchFolderSizes(path, { signal, onSizes: setShown })
    }
    // If the code fails to load, sizes are not shown.
    follow().catch(() => undefined)
    return () => {
      left.abort()
      following.current = null
      setShown(null)
    }
  }, [on, path])
  // What changed in the folder may have changed the sums.
  useEffect(() => following.current?.again(), [listing])
  const sums = useMemo(() => shown && names.map((name) => shown.get(name)), [shown, names])
  return useMemo(() => (sums === null ? listing : { ...listing, sums }), [listing, sums])
}

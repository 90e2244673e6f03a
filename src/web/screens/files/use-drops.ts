import { type RefObject, useEffect, useRef, useState } from 'react'
import type { FilePath } from '../../../shared/file-path.ts'
import type { Permissions } from '../../../shared/contract/users.ts'
import { type DropOffer, dropTarget, endDrag, offerFor } from './drag.ts'

/**
 * Takes drops anywhere in a screen, on whatever says `data-drop`. Entries are refused by the screen itself: they are there already.
 * @returns the folder that files from outside would be uploaded to, while they hover
 */
export function useDrops(
  screen: RefObject<HTMLElement | null>,
  { perm, onDrop }: { perm: Permissions; onDrop: (offer: DropOffer, target: FilePath, transfer: DataTransfer) => void },
): FilePath | null {
  const [uploadTo, setUploadTo] = useState<FilePath | null>(null)
  const latest = useRef({ perm, onDrop })
  useEffect(() => {
    latest.current = { perm, onDrop }
  })
  // Talks to the browser's drag and drop.
  useEffect(() => {
    const root = screen.current
    if (root === null) return
    const listening = new AbortController()
    const { signal } = listening
    let lit: HTMLElement | null = null
    const light = (element: HTMLElement | null) => {
      if (element === lit) return
      lit?.removeAttribute('data-over')
      element?.setAttribute('data-over', '')
      lit = element
    }
    const leave = () => {
      light(null)
      setUploadTo(null)
    }
    const consider = (event: DragEvent) => {
      const target = dropTarget(event)
      const offer = target === null ? null : offerFor(event, target.path, latest.current.perm)
      return target === null || offer === null ? null : { ...target, offer }
    }
    const over = (event: DragEvent) => {
      const found = consider(event)
      if (found === null) {
        if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
        // Otherwise a file dropped here would replace the page.
        if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
        return leave()
      }
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = found.offer.kind === 'move' ? 'move' : 'copy'
      light(found.element === root ? null : found.element)
      setUploadTo(found.offer.kind === 'upload' ? found.path : null)
    }
    const drop = (event: DragEvent) => {
      const found = consider(event)
      leave()
      if (event.dataTransfer?.types.includes('Files') || found !== null) event.preventDefault()
      if (found !== null && event.dataTransfer) latest.current.onDrop(found.offer, found.path, event.dataTransfer)
    }
    root.addEventListener('dragenter', over, { signal })
    root.addEventListener('dragover', over, { signal })
    root.addEventListener('drop', drop, { signal })
    root.addEventListener('dragleave', (event) => !isInside(root, event.relatedTarget) && leave(), { signal })
    root.addEventListener('dragend', () => (leave(), endDrag()), { signal })
    return () => listening.abort()
  }, [screen])
  return uploadTo
}

function isInside(root: HTMLElement, target: EventTarget | null): boolean {
  return target instanceof Node && root.contains(target)
}

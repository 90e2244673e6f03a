import { type RefObject, useEffect, useRef, useState } from 'react'
import type { FilePath } from '../../../shared/file-path.ts'
import type { Permissions } from '../../../shared/contract/users.ts'
import { type DropOffer, dropTarget, endDrag, offerFor } from './drag.ts'

/**
 * Takes drops anywhere in a screen, on whatever says `data-drop`; below the pointer that says `data-over`: `taken`, or `barred` where this
 * drag is refused. The screen itself refuses entries: they are there already.
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
    const light = (element: HTMLElement | null, how: 'taken' | 'barred' = 'taken') => {
      if (element !== lit) lit?.removeAttribute('data-over')
      if (element !== null) element.dataset.over = how
      lit = element
    }
    const leave = () => {
      light(null)
      setUploadTo(null)
    }
    const consider = (event: DragEvent) => {
      const target = dropTarget(event)
      // A folder that is selected takes nothing.
      const selected = target?.element.ariaSelected === 'true'
      return { target, offer: target === null || selected ? null : offerFor(event, target.path, latest.current.perm) }
    }
    const over = (event: DragEvent) => {
      const { dataTransfer } = event
      const { target, offer } = consider(event)
      const element = target?.element === root ? null : (target?.element ?? null)
      if (target === null || offer === null) {
        light(element, 'barred')
        setUploadTo(null)
        if (dataTransfer) dataTransfer.dropEffect = 'none'
        // Otherwise a file dropped here would replace the page.
        if (dataTransfer?.types.includes('Files')) event.preventDefault()
        return
      }
      event.preventDefault()
      if (dataTransfer) dataTransfer.dropEffect = offer.kind === 'move' ? 'move' : 'copy'
      light(element)
      setUploadTo(offer.kind === 'upload' ? target.path : null)
    }
    const drop = (event: DragEvent) => {
      const { target, offer } = consider(event)
      leave()
      if (event.dataTransfer?.types.includes('Files') || offer !== null) event.preventDefault()
      if (target !== null && offer !== null && event.dataTransfer) latest.current.onDrop(offer, target.path, event.dataTransfer)
    }
    // Of the whole window: what falls beside the screen must not replace the page either.
    addEventListener('dragenter', over, { signal })
    addEventListener('dragover', over, { signal })
    addEventListener('drop', drop, { signal })
    addEventListener('dragleave', (event) => event.relatedTarget === null && leave(), { signal })
    addEventListener('dragend', () => (leave(), endDrag()), { signal })
    return () => listening.abort()
  }, [screen])
  return uploadTo
}

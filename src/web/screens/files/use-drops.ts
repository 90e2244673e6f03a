import { type RefObject, useEffect, useState, useEffectEvent } from 'react'
import type { FilePath } from '../../../shared/file-path.ts'
import type { Permissions } from '../../../shared/contract/users.ts'
import { type AllowedDrop, dropTarget, endDrag, dropFor } from './drag.ts'

/**
 * Handles drops anywhere in a screen, on elements with `data-drop`; the hovered one gets `data-over`: `taken`, or `barred` if the drag is rejected.
 * The screen itself rejects entries, which are already there.
 * @returns the folder to which hovering files would be uploaded
 */
export function useDrops(
  screen: RefObject<HTMLElement | null>,
  {
    permAt,
    onDrop,
  }: { permAt: (target: FilePath) => Permissions; onDrop: (offer: AllowedDrop, target: FilePath, transfer: DataTransfer) => void },
): FilePath | null {
  const [uploadTo, setUploadTo] = useState<FilePath | null>(null)
  const offerFor = useEffectEvent((event: DragEvent, target: FilePath) => dropFor(event, target, permAt(target)))
  const take = useEffectEvent(onDrop)
  // Synchronises with the browser's drag and drop.
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
      // A selected folder is not a drop target.
      const selected = target?.element.ariaSelected === 'true'
      return { target, offer: target === null || selected ? null : offerFor(event, target.path) }
    }
    const over = (event: DragEvent) => {
      const { dataTransfer } = event
      const { target, offer } = consider(event)
      const element = target?.element === root ? null : (target?.element ?? null)
      if (target === null || offer === null) {
        light(element, 'barred')
        setUploadTo(null)
        if (dataTransfer) dataTransfer.dropEffect = 'none'
        // Otherwise the browser would open the file instead of the page.
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
      if (target !== null && offer !== null && event.dataTransfer) take(offer, target.path, event.dataTransfer)
    }
    // On the whole window: a file dropped beside the screen must not replace the page either.
    addEventListener('dragenter', over, { signal })
    addEventListener('dragover', over, { signal })
    addEventListener('drop', drop, { signal })
    addEventListener('dragleave', (event: DragEvent) => event.relatedTarget === null && leave(), { signal })
    addEventListener('dragend', () => (leave(), endDrag()), { signal })
    return () => listening.abort()
  }, [screen])
  return uploadTo
}

import { type RefObject, useLayoutEffect } from 'react'

/** What stands over the page, the topmost last: each a child of the body. */
const layers: Element[] = []

/**
 * While this is on show, all that lies below it takes no focus, no press and no reader: the page, a preview, a dialog that asked it. Notices, menus
 * and tooltips are no layers; they are never below anything.
 * @param within an element of the layer
 */
export function useModalLayer(within: RefObject<Element | null>, { open }: { open: boolean } = { open: true }): void {
  // Synchronises with elements above React's own.
  useLayoutEffect(() => {
    const layer = within.current && childOfBody(within.current)
    if (!open || layer === null) return
    layers.push(layer)
    show()
    return () => {
      layers.splice(layers.lastIndexOf(layer), 1)
      layer.removeAttribute('inert')
      show()
    }
  }, [within, open])
}

function show(): void {
  const top = layers.at(-1)
  const page = document.getElementById('app')
  for (const layer of [...(page === null ? [] : [page]), ...layers]) layer.toggleAttribute('inert', top !== undefined && layer !== top)
}

function childOfBody(element: Element): Element | null {
  let at = element
  while (at.parentElement !== null && at.parentElement !== document.body) at = at.parentElement
  return at.parentElement === null ? null : at
}

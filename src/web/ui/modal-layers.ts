import { type RefObject, useLayoutEffect } from 'react'

/** Open modal layers, topmost last; each is a child of the body. */
const layers: Element[] = []

/**
 * While a modal layer is open, everything below it is inert: the page, a preview, another dialog. Notices, menus and tooltips are not layers and
 * never inert.
 * @param within an element of the layer
 */
export function useModalLayer(within: RefObject<Element | null>, { open }: { open: boolean } = { open: true }): void {
  // Changes elements outside React's root.
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

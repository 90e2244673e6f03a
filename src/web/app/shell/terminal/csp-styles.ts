/**
 * xterm.js creates `<style>` elements while it opens and sets `style` attributes on spans later. The CSP (`style-src`) allows the former only with
 * a nonce and the latter only through CSSOM.
 * @param open creates all `<style>` elements
 */
export function withCspStyles(open: () => void): void {
  Object.defineProperty(HTMLSpanElement.prototype, 'setAttribute', { value: setByObject, configurable: true, writable: true })
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
  const createElement = document.createElement.bind(document)
  const createNonced = (tag: string, options?: ElementCreationOptions): HTMLElement => {
    const element = createElement(tag, options)
    if (tag === 'style') element.nonce = nonce
    return element
  }
  Object.defineProperty(document, 'createElement', { value: createNonced, configurable: true })
  try {
    open()
  } finally {
    // Restore the method of the prototype.
    Reflect.deleteProperty(document, 'createElement')
  }
}

/** `setAttribute('style', …)` for spans through CSSOM. */
function setByObject(this: HTMLSpanElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value
  else Element.prototype.setAttribute.call(this, name, value)
}

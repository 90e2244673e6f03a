/**
 * xterm.js writes its colours into `<style>` elements, which it makes while it is opened, and later into `style` attributes of spans. The page's
 * policy lets the former through with its nonce only, and the latter by way of the style's own object only (CSP `style-src`).
 * @param open makes all its `<style>` elements
 */
export function withStylesByPolicy(open: () => void): void {
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
    // The one of its kind stands behind it.
    Reflect.deleteProperty(document, 'createElement')
  }
}

/** Of the same effect, for every span. */
function setByObject(this: HTMLSpanElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value
  else Element.prototype.setAttribute.call(this, name, value)
}

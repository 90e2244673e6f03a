/**
 * xterm.js writes its colours into `<style>` elements and `style` attributes, which the page's policy allows only with its nonce, and by way of
 * the style's own object (CSP `style-src`). It takes its elements from a document that we may give it; a few it takes from the page's own, and
 * those all while it is opened.
 */
export function withStyles(page: Document): { readonly document: Document; during(deed: () => void): void } {
  const nonce = page.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
  const original = page.createElement.bind(page)

  function createElement(tag: string, options?: ElementCreationOptions): HTMLElement {
    const element = original(tag, options)
    if (tag === 'style') element.nonce = nonce
    if (tag === 'span') Object.defineProperty(element, 'setAttribute', { value: setByObject })
    return element
  }

  return {
    document: new Proxy(page, {
      get(target, name) {
        if (name === 'createElement') return createElement
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    }),
    during(deed) {
      Object.defineProperty(page, 'createElement', { value: createElement, configurable: true })
      try {
        deed()
      } finally {
        // The one of its kind stands behind it.
        Reflect.deleteProperty(page, 'createElement')
      }
    },
  }
}

function setByObject(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value
  else Element.prototype.setAttribute.call(this, name, value)
}

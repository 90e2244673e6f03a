import createDOMPurify, { type Config, type DOMPurify } from 'dompurify'
import { TEXT_TAGS } from '../text-tags.ts'
import { withoutDoctype } from './book.ts'
import { trustedHtml } from './trusted-html.ts'
import { resolveHref } from './references.ts'

/** A sanitised chapter. */
export interface Chapter {
  readonly content: DocumentFragment
  /** Text direction; `auto` if not specified. */
  readonly dir: 'ltr' | 'rtl' | 'auto'
  readonly lang: string
}

/** Prefix of ids, so that a book's ids never collide with ours. */
export const ID_PREFIX = 'spot-'

const CONFIG: Config = {
  ALLOWED_TAGS: [...TEXT_TAGS, ...'article aside center footer header hgroup main nav rp rt ruby section'.split(' ')],
  ALLOWED_ATTR: 'href src alt title id colspan rowspan start value type open lang dir'.split(' '),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
}

/**
 * Sanitises a chapter: no scripts, styles, forms or frames. Images have `data-entry` until their bytes are loaded from the book; internal links
 * have `data-entry` and `data-spot`; external links open in a new tab without referrer.
 * @param path of the chapter in the zip
 */
export function renderChapter(text: string, path: string): Chapter {
  const { html, dir, lang } = bodyOf(text)
  const purify = createDOMPurify(window)
  mendReferences(purify, path)
  const content = purify.sanitize(html, CONFIG) as unknown as DocumentFragment
  return { content, dir, lang }
}

/** Converts XHTML to HTML, because `<title/>` is not self-closing in HTML; malformed chapters are parsed as HTML. */
function bodyOf(text: string): Omit<Chapter, 'content'> & { html: string } {
  const parser = new DOMParser()
  const strict = parser.parseFromString(trustedHtml(withEntities(withoutDoctype(text))), 'application/xhtml+xml')
  const isStrict = strict.getElementsByTagNameNS('*', 'parsererror').length === 0
  const parsed = isStrict ? strict : parser.parseFromString(trustedHtml(text), 'text/html')
  const root = parsed.documentElement
  const body = parsed.getElementsByTagNameNS('*', 'body')[0] ?? root
  // A document without a browsing context fetches nothing.
  const quiet = document.implementation.createHTMLDocument('')
  quiet.body.append(...[...body.childNodes].map((node) => quiet.importNode(node, true)))
  for (const drawing of quiet.body.querySelectorAll('svg')) drawing.replaceWith(...[...drawing.querySelectorAll('image')].map(imageFrom))
  const written = (name: string) => body.getAttribute(name) ?? root.getAttribute(name) ?? ''
  const dir = written('dir').toLowerCase()
  return {
    html: quiet.body.innerHTML,
    dir: dir === 'rtl' || dir === 'ltr' ? dir : 'auto',
    lang: (written('lang') || written('xml:lang')).slice(0, 35),
  }
}

/** Covers are often an image in an SVG. */
function imageFrom(image: SVGImageElement): HTMLImageElement {
  const plain = image.ownerDocument.createElement('img')
  plain.setAttribute('src', image.getAttribute('href') ?? image.getAttribute('xlink:href') ?? '')
  return plain
}

/** Replaces HTML entities that XHTML does not define; the five of XML stay. */
function withEntities(text: string): string {
  const box = document.implementation.createHTMLDocument('').createElement('textarea')
  return text.replaceAll(/&(?!(?:amp|lt|gt|quot|apos);)([a-z][a-z0-9]{1,30});/gi, (entity) => {
    box.innerHTML = trustedHtml(entity)
    const { value } = box
    return value === entity || value === '' ? '' : /[<>&"']/.test(value) ? '' : value
  })
}

function mendReferences(purify: DOMPurify, path: string): void {
  purify.addHook('afterSanitizeAttributes', (node) => {
    const id = node.getAttribute('id')
    if (id !== null) node.setAttribute('id', ID_PREFIX + id)
    if (node.tagName === 'A') mendLink(node, path)
    if (node.tagName === 'IMG') mendImage(node, path)
  })
}

function mendLink(node: Element, path: string): void {
  const written = node.getAttribute('href')
  node.removeAttribute('href')
  if (written === null) return
  const spot = resolveHref(path, written)
  if (spot !== null) {
    node.setAttribute('data-entry', spot.path)
    node.setAttribute('data-spot', spot.fragment)
    // A plain fragment link within the same chapter.
    return node.setAttribute('href', `#${ID_PREFIX}${spot.fragment}`)
  }
  const url = URL.parse(written.trim())
  if (url === null || !['https:', 'http:', 'mailto:'].includes(url.protocol)) return
  node.setAttribute('href', url.href)
  node.setAttribute('title', url.href)
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noopener noreferrer nofollow')
}

function mendImage(node: Element, path: string): void {
  const spot = resolveHref(path, node.getAttribute('src') ?? '')
  node.removeAttribute('src')
  if (spot !== null) node.setAttribute('data-entry', spot.path)
}

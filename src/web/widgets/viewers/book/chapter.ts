import createDOMPurify, { type Config, type DOMPurify } from 'dompurify'
import { TEXT_TAGS } from '../text-tags.ts'
import { withoutDoctype } from './book.ts'
import { trustedHtml } from './trusted-html.ts'
import { resolveHref } from './references.ts'

/** A chapter as a piece of document, of which nothing runs and nothing is fetched. */
export interface Chapter {
  readonly content: DocumentFragment
  /** Of the text; `auto` where the chapter does not say. */
  readonly dir: 'ltr' | 'rtl' | 'auto'
  readonly lang: string
}

/** Before a spot's name, so that no name of a book's is a name of the page's. */
export const ID_PREFIX = 'spot-'

const CONFIG: Config = {
  ALLOWED_TAGS: [...TEXT_TAGS, ...'article aside center footer header hgroup main nav rp rt ruby section'.split(' ')],
  ALLOWED_ATTR: 'href src alt title id colspan rowspan start value type open lang dir'.split(' '),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
}

/**
 * Makes a chapter harmless: no script, no style, no form, no frame. Images wait with `data-entry` for their bytes from the book, links within the
 * book carry `data-entry` and `data-spot`, links elsewhere open outside and tell nobody where they were found.
 * @param path of the chapter in the zip
 */
export function renderChapter(text: string, path: string): Chapter {
  const { html, dir, lang } = bodyOf(text)
  const purify = createDOMPurify(window)
  mendReferences(purify, path)
  const content = purify.sanitize(html, CONFIG) as unknown as DocumentFragment
  return { content, dir, lang }
}

/** The body in the letters of HTML: chapters are XHTML, where `<title/>` ends by itself; one that is malformed is read as browsers read pages. */
function bodyOf(text: string): Omit<Chapter, 'content'> & { html: string } {
  const parser = new DOMParser()
  const strict = parser.parseFromString(trustedHtml(withEntities(withoutDoctype(text))), 'application/xhtml+xml')
  const isStrict = strict.getElementsByTagNameNS('*', 'parsererror').length === 0
  const parsed = isStrict ? strict : parser.parseFromString(trustedHtml(text), 'text/html')
  const root = parsed.documentElement
  const body = parsed.getElementsByTagNameNS('*', 'body')[0] ?? root
  // A document without a window: nothing is fetched.
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

/** Covers are often a picture in a drawing. */
function imageFrom(image: SVGImageElement): HTMLImageElement {
  const plain = image.ownerDocument.createElement('img')
  plain.setAttribute('src', image.getAttribute('href') ?? image.getAttribute('xlink:href') ?? '')
  return plain
}

/** The names of HTML that books use without saying what they mean; the five of XML stay. */
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
    // Leads there by itself where the spot is in this chapter.
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

import createDOMPurify, { type Config, type DOMPurify } from 'dompurify'
import { Marked } from 'marked'
import { orElse } from '../../../shared/errors.ts'
import { TEXT_TAGS } from './text-tags.ts'

/** Resolves references of a document; null if there is no target. */
export interface References {
  /** Address of a local image. */
  image: (path: string) => string | null
  /** Address of a local file or folder. */
  link: (path: string) => string | null
}

/** Allowed HTML: Markdown's output and common inline HTML; no styles, forms, frames, media or ids. */
const CONFIG: Config = {
  ALLOWED_TAGS: [...TEXT_TAGS],
  ALLOWED_ATTR: 'href src alt title align colspan rowspan start open lang dir'.split(' '),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
}

/** A task list item, which needs no bullet. */
const TASK = /^\s*[☐☑] /

/** Placeholder for the folder of the document. */
const HERE = 'https://here.invalid/'
const RASTER = /^data:image\/(png|jpeg|gif|webp|avif);base64,/i

/**
 * Renders Markdown (GFM) to a sanitised fragment: no scripts, styles or forms, and nothing loaded from elsewhere. Images come from our API or data
 * URLs; external links open in a new tab without referrer (invariant I11).
 */
export function renderMarkdown(text: string, references: References): DocumentFragment {
  const purify = createDOMPurify(window)
  mendReferences(purify, references)
  const html = markdown.parse(text, { async: false })
  return purify.sanitize(html, CONFIG) as unknown as DocumentFragment
}

const markdown = new Marked({ gfm: true })
markdown.use({
  renderer: {
    // A read-only checkbox is shown as a character.
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
})

/** Runs in a document without a browsing context, where nothing is fetched. */
function mendReferences(purify: DOMPurify, references: References): void {
  purify.addHook('afterSanitizeAttributes', (node) => {
    if (node.tagName === 'A') mendLink(node, references)
    if (node.tagName === 'IMG') mendImage(node, references)
    if (/^H[1-6]$/.test(node.tagName)) node.setAttribute('data-slug', slugOf(node.textContent))
    if (node.tagName === 'TABLE') node.setAttribute('tabindex', '0')
    if (node.tagName === 'LI' && TASK.test(node.textContent)) node.setAttribute('data-task', '')
  })
}

function mendLink(node: Element, { link }: References): void {
  const written = node.getAttribute('href') ?? ''
  node.removeAttribute('href')
  if (written.startsWith('#')) return node.setAttribute('href', `#${slugOf(decoded(written.slice(1)))}`)
  const url = URL.parse(written, HERE)
  if (url === null || written === '') return
  if (`${url.origin}/` === HERE) {
    const place = link(decoded(pathWritten(written)))
    if (place !== null) node.setAttribute('href', place)
  } else if (url.protocol === 'https:' || url.protocol === 'http:' || url.protocol === 'mailto:') {
    node.setAttribute('href', url.href)
    node.setAttribute('target', '_blank')
    node.setAttribute('rel', 'noopener noreferrer nofollow')
  }
}

function mendImage(node: Element, { image }: References): void {
  const written = node.getAttribute('src') ?? ''
  node.removeAttribute('src')
  node.setAttribute('decoding', 'async')
  node.setAttribute('loading', 'lazy')
  if (RASTER.test(written)) return node.setAttribute('src', written)
  const url = URL.parse(written, HERE)
  const ours = url !== null && written !== '' && `${url.origin}/` === HERE ? image(decoded(pathWritten(written))) : null
  if (ours !== null) node.setAttribute('src', ours)
  else node.setAttribute('data-elsewhere', url?.host ?? '')
}

/** Without query and fragment. */
function pathWritten(written: string): string {
  return written.trim().replace(/[?#].*$/s, '')
}

function decoded(text: string): string {
  return orElse(text, () => decodeURIComponent(text))
}

/** Heading id, as on GitHub. */
export function slugOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')
}

import createDOMPurify, { type Config, type DOMPurify } from 'dompurify'
import { Marked } from 'marked'
import { TEXT_TAGS } from './text-tags.ts'

/** What the things a text points to are for its reader; null for what there is no way to. */
export interface References {
  /** The bytes of an image beside the text, by our own call. */
  image: (path: string) => string | null
  /** A place of ours. */
  link: (path: string) => string | null
}

/** What Markdown writes, and a little of what people write between: no styles, no forms, no frames, no media, nothing with a name. */
const CONFIG: Config = {
  ALLOWED_TAGS: [...TEXT_TAGS],
  ALLOWED_ATTR: 'href src alt title align colspan rowspan start open lang dir'.split(' '),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
}

/** Begins with a box, which is mark enough. */
const TASK = /^\s*[☐☑] /

/** Stands for the folder of the text, wherever that is. */
const HERE = 'https://here.invalid/'
const RASTER = /^data:image\/(png|jpeg|gif|webp|avif);base64,/i

/**
 * Markdown as a piece of document (GFM). It holds no script, no style, no form and nothing that is fetched from elsewhere: images come from our
 * own calls or from the text itself, links elsewhere open outside and tell nobody where they were found (invariant I11).
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
    // A box that nobody can tick is a sign, not a control.
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
})

/** While it is still in a document without a window, where nothing is fetched. */
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

/** Without question and fragment, which files do not have. */
function pathWritten(written: string): string {
  return written.trim().replace(/[?#].*$/s, '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What a heading is linked by, as GitHub makes it. */
export function slugOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')
}

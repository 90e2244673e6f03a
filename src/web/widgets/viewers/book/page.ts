import { trustedTypesPolicy } from '../../../ui/trusted-types.ts'
import type { Zip } from '../zip.ts'
import { type Chapter, ID_PREFIX } from './chapter.ts'
import paper from './paper.css?inline'
import type { BookLocation } from './references.ts'

export type Paper = 'light' | 'sepia' | 'dark'

/** Reader settings. */
export interface ReaderSettings {
  readonly paper: Paper
  /** Font size in percent. */
  readonly size: number
}

export interface PageHandlers {
  /** An internal link was followed. */
  readonly onFollow: (spot: BookLocation) => void
  /** A key outside text editing. */
  readonly onKey: (event: KeyboardEvent) => void
  /** The page was scrolled. */
  readonly onScroll: () => void
}

/** The page in the iframe that shows a chapter. */
export interface Page {
  /** @param at an id, or the scroll position */
  show(chapter: Chapter, options: { dir: 'ltr' | 'rtl'; lang: string; at: string | number }): void
  /** Loads the images of the chapter; keeps the scroll position unless the user has scrolled. */
  fetchPictures(zip: Zip, options: { signal: AbortSignal }): Promise<void>
  applySettings(look: ReaderSettings): void
  goTo(at: string | number): void
  /** Scroll position, from 0 to 1. */
  position(): number
}

/** Document of the iframe: no scripts, and only images that we provide. Chapters are inserted as nodes, never as HTML text. */
export const EMPTY_PAGE =
  '<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="default-src \'none\'; img-src blob:"></head><body></body></html>'

// React sets `srcDoc` as a string; only this string is allowed.
trustedTypesPolicy('default', { createHTML: (text) => (text === EMPTY_PAGE ? text : '') })

const PICTURES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
}
const MOST_PICTURE_BYTES = 24 * 1024 * 1024
const MOST_PICTURES_BYTES = 96 * 1024 * 1024

/** Attaches to an iframe with `EMPTY_PAGE`; null while it has not loaded. */
export function openPage(frame: HTMLIFrameElement, { onFollow, onKey, onScroll }: PageHandlers): Page | null {
  const document = frame.contentDocument
  // Same-origin, so the full window is accessible.
  const window = frame.contentWindow as (Window & typeof globalThis) | null
  if (document === null || window === null) return null
  const { documentElement: root, body } = document
  const sheet = new window.CSSStyleSheet()
  sheet.replaceSync(paper)
  document.adoptedStyleSheets = [sheet]
  let addresses: string[] = []
  let last: string | number = 0
  let hasScrolled = false

  document.addEventListener('click', (event) => {
    // From another realm: `instanceof` does not work.
    const link = (event.target as Element | null)?.closest('a') ?? null
    if (link === null) return
    event.preventDefault()
    const [path, fragment] = [link.getAttribute('data-entry'), link.getAttribute('data-spot') ?? '']
    if (path !== null) onFollow({ path, fragment })
    else if (link.target === '_blank') open(link.href, '_blank', 'noopener,noreferrer')
  })
  document.addEventListener('keydown', onKey)
  for (const sign of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    document.addEventListener(sign, () => (hasScrolled = true), { passive: true })
  document.addEventListener('scroll', onScroll, { passive: true })

  function room(): number {
    return Math.max(0, root.scrollHeight - root.clientHeight)
  }
  function part(): number {
    return room() === 0 ? 0 : Math.min(1, Math.max(0, root.scrollTop / room()))
  }
  function goTo(at: string | number): void {
    last = at
    const spot = typeof at === 'string' && at !== '' ? document?.getElementById(ID_PREFIX + at) : null
    if (spot) spot.scrollIntoView({ block: 'start' })
    else root.scrollTop = typeof at === 'number' ? at * room() : 0
  }
  return {
    show({ content, dir: written, lang: said }, { dir, lang, at }) {
      for (const address of addresses) URL.revokeObjectURL(address)
      addresses = []
      hasScrolled = false
      body.replaceChildren(document.importNode(content, true))
      body.dir = written === 'auto' ? dir : written
      root.lang = said || lang
      goTo(at)
    },
    async fetchPictures(zip, { signal }) {
      let left = MOST_PICTURES_BYTES
      for (const image of body.querySelectorAll<HTMLImageElement>('img[data-entry]')) {
        const path = image.getAttribute('data-entry') ?? ''
        const type = PICTURES[path.split('.').at(-1)?.toLowerCase() ?? '']
        if (type === undefined) continue
        // Missing or invalid images keep their alternative text.
        const bytes = await zip.read(path, { most: Math.min(left, MOST_PICTURE_BYTES), signal }).catch(() => null)
        if (signal.aborted) return
        if (bytes === null) continue
        left -= bytes.length
        const address = URL.createObjectURL(new Blob([bytes], { type }))
        addresses.push(address)
        image.src = address
        await image.decode().catch(() => undefined)
        if (signal.aborted) return
        if (!hasScrolled) goTo(last)
      }
    },
    applySettings({ paper: name, size }) {
      const before = part()
      root.dataset.paper = name
      root.style.fontSize = `${size}%`
      root.scrollTop = before * room()
    },
    goTo,
    position: part,
  }
}

import { trustedTypesPolicy } from '../../../ui/trusted-types.ts'
import type { Zip } from '../zip.ts'
import { type Chapter, ID_PREFIX } from './chapter.ts'
import paper from './paper.css?inline'
import type { BookLocation } from './references.ts'

export type Paper = 'light' | 'sepia' | 'dark'

/** How the reader likes it. */
export interface ReaderSettings {
  readonly paper: Paper
  /** Of the text, in percent. */
  readonly size: number
}

export interface PageHandlers {
  /** Somebody follows a link within the book. */
  readonly onFollow: (spot: BookLocation) => void
  /** A key that is no word of the text: the reader's own. */
  readonly onKey: (event: KeyboardEvent) => void
  /** Somebody has scrolled. */
  readonly onScroll: () => void
}

/** The sheet of paper that chapters are laid on. */
export interface Page {
  /** @param at a spot's name, or how far down */
  show(chapter: Chapter, options: { dir: 'ltr' | 'rtl'; lang: string; at: string | number }): void
  /** Fetches the pictures of what is on show; its place on the sheet stays, unless somebody has scrolled. */
  fetchPictures(zip: Zip, options: { signal: AbortSignal }): Promise<void>
  applySettings(look: ReaderSettings): void
  goTo(at: string | number): void
  /** How far down, from 0 to 1. */
  position(): number
}

/**
 * The document of the frame: it has no scripts, and may fetch nothing but pictures that we hand it. Chapters come in as nodes, never as text that
 * would be read once more.
 */
export const EMPTY_PAGE =
  '<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="default-src \'none\'; img-src blob:"></head><body></body></html>'

// React hands the text over as it is: of all texts, this one may become a document.
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

/** Takes hold of a frame that holds `EMPTY_PAGE`; null while it does not. */
export function openPage(frame: HTMLIFrameElement, { onFollow, onKey, onScroll }: PageHandlers): Page | null {
  const document = frame.contentDocument
  // The frame is of our own origin, so it has all that a window has.
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
    // An element of the frame's own world: `instanceof` of ours does not know it.
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
        // One that is missing or odd leaves its words.
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

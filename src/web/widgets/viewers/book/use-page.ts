import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Book, isRightToLeft, readText } from './book.ts'
import { renderChapter } from './chapter.ts'
import { type ReaderSettings, openPage, type Page } from './page.ts'
import type { BookLocation } from './references.ts'
import { type ReadingPosition, saveReadingPosition } from './reading-position.ts'

/** Longer chapters would block the page while parsing. */
const MOST_CHAPTER_BYTES = 4 * 1024 * 1024
const REMEMBER_MS = 300

/** A chapter and a position in it: an id or a scroll position. */
export interface Opened {
  readonly chapter: number
  readonly at: string | number
}

export interface PageOptions {
  book: Book
  /** Key of the stored position. */
  id: string
  first: ReadingPosition
  look: ReaderSettings
  onKey: (event: KeyboardEvent) => void
}

/** The current chapter in the iframe, and navigation. */
export function usePage(frame: RefObject<HTMLIFrameElement | null>, { book, id, first, look, onKey }: PageOptions) {
  const [opened, setOpened] = useState<Opened>({ chapter: first.chapter, at: first.position })
  const [state, setState] = useState<'loading' | 'shown' | 'broken'>('loading')
  const [page, setPage] = useState<Page | null>(null)

  const open = (to: Opened) => {
    if (to.chapter < 0 || to.chapter >= book.chapters.length) return
    // The same location again: scroll there.
    if (to.chapter === opened.chapter) page?.goTo(to.at)
    setOpened(to)
  }
  const follow = ({ path, fragment }: BookLocation) => open({ chapter: book.chapters.indexOf(path), at: fragment })

  const handlers = useRef({ follow, onKey, scroll: () => {} })
  const timer = useRef(0)
  const save = () => page !== null && saveReadingPosition(localStorage, id, { chapter: opened.chapter, position: page.position() })
  useEffect(() => {
    handlers.current = {
      follow,
      onKey,
      scroll: () => {
        clearTimeout(timer.current)
        timer.current = window.setTimeout(save, REMEMBER_MS)
      },
    }
  })
  // Some browsers do not fire events in an iframe without scripts, so the position is read on unmount.
  const lastly = useRef(save)
  useLayoutEffect(() => {
    lastly.current = save
  })
  useLayoutEffect(() => {
    const leave = () => {
      clearTimeout(timer.current)
      lastly.current()
    }
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [])

  const hold = () => {
    if (frame.current === null) return
    setPage(
      openPage(frame.current, {
        onFollow: (spot) => handlers.current.follow(spot),
        onKey: (event) => handlers.current.onKey(event),
        onScroll: () => handlers.current.scroll(),
      }),
    )
  }
  useEffect(() => page?.applySettings(look), [page, look])

  const { chapter } = opened
  const { zip, chapters, isRtl, language } = book
  const path = chapters[chapter] ?? ''
  const start = useRef(opened.at)
  useEffect(() => {
    start.current = opened.at
  })
  // Renders another chapter.
  useEffect(() => {
    if (page === null) return
    const left = new AbortController()
    const { signal } = left
    const show = async () => {
      const rendered = renderChapter(await readText(zip, path, { most: MOST_CHAPTER_BYTES, signal }), path)
      signal.throwIfAborted()
      const dir = isRtl || isRightToLeft(rendered.lang) ? 'rtl' : 'ltr'
      page.show(rendered, { dir, lang: language, at: start.current })
      setState('shown')
      // Focus the iframe, unless focus is elsewhere.
      const alone = (frame.current?.closest('[data-part=preview]') ?? null) !== null
      if (alone && document.activeElement === document.body) frame.current?.focus({ preventScroll: true })
      // Store the position even without scrolling.
      handlers.current.scroll()
      await page.fetchPictures(zip, { signal })
    }
    setState('loading')
    show().catch(() => !signal.aborted && setState('broken'))
    return () => left.abort()
  }, [page, frame, zip, path, isRtl, language])

  return { chapter, state, hold, open }
}

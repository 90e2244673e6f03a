import type { PDFDocumentProxy } from 'pdfjs-dist'
import { type RefObject, useEffect, useState } from 'react'
import { zoomByGesture } from './zoom-by-gesture.ts'
import { EventBus, FindState, LinkTarget, PDFFindController, PDFLinkService, PDFViewer } from 'pdfjs-dist/web/pdf_viewer.mjs'

/** What the bar shows and changes. */
export interface ViewerState {
  readonly page: number
  /** 1 is 100 %. */
  readonly scale: number
}

export interface Found {
  /** From 1; 0 if none is chosen. */
  readonly current: number
  readonly total: number
  /** Whether everything was searched and nothing found. */
  readonly isMissing: boolean
}

export interface PdfViewing {
  readonly state: ViewerState
  readonly found: Found | null
  goTo(page: number): void
  /** @param destination as the outline of a PDF names it */
  goToDestination(destination: string | unknown[]): void
  zoom(by: 1 | -1): void
  fit(how: 'page-width' | 'page-fit'): void
  /** @param previous searches backwards from the chosen match */
  find(text: string, options: { again: boolean; previous: boolean }): void
  endFind(): void
}

const ZOOM_STEP = 1.2
/** Canvases of 16 megapixels, as many as phones have. */
const MOST_CANVAS_PIXELS = 4096 * 4096

/**
 * Shows a document in a container with PDF.js's own viewer: pages as they come into view, selectable text, links.
 * @param first the page to begin with, from 1
 * @returns null until the first page is laid out
 */
export function useViewer(
  container: RefObject<HTMLDivElement | null>,
  { document, first, onPage }: { document: PDFDocumentProxy; first: number; onPage: (page: number) => void },
): PdfViewing | null {
  const [state, setState] = useState<ViewerState | null>(null)
  const [found, setFound] = useState<Found | null>(null)
  const [parts, setParts] = useState<{ viewer: PDFViewer; links: PDFLinkService; bus: EventBus } | null>(null)

  // Synchronises with a viewer outside React. `first` and `onPage` are those of the beginning.
  useEffect(() => {
    const element = container.current
    if (element === null) return
    const control = new AbortController()
    const bus = new EventBus()
    const links = new PDFLinkService({
      eventBus: bus,
      externalLinkTarget: LinkTarget.BLANK,
      externalLinkRel: 'noopener noreferrer nofollow',
    })
    const finder = new PDFFindController({ eventBus: bus, linkService: links })
    // The types leave out the signal.
    const options = {
      container: element,
      eventBus: bus,
      linkService: links,
      findController: finder,
      // Annotations are drawn, not filled in; nothing is saved.
      annotationMode: 1,
      maxCanvasPixels: MOST_CANVAS_PIXELS,
      abortSignal: control.signal,
    }
    const viewer = new PDFViewer(options)
    links.setViewer(viewer)
    zoomByGesture(viewer, { container: element, signal: control.signal })
    const now = () => setState({ page: viewer.currentPageNumber, scale: viewer.currentScale })
    const onMatches = ({ matchesCount }: { matchesCount: { current: number; total: number } }) =>
      setFound((before) => ({ ...matchesCount, isMissing: before?.isMissing === true && matchesCount.total === 0 }))
    bus.on('pagesinit', () => {
      viewer.currentScaleValue = 'page-width'
      if (viewer.currentScale > 1.5) viewer.currentScaleValue = 'auto'
      if (first > 1 && first <= document.numPages) viewer.currentPageNumber = first
      now()
    })
    bus.on('pagechanging', ({ pageNumber }: { pageNumber: number }) => {
      now()
      onPage(pageNumber)
    })
    bus.on('scalechanging', now)
    bus.on('updatefindmatchescount', onMatches)
    bus.on(
      'updatefindcontrolstate',
      ({ state: outcome, matchesCount }: { state: number; matchesCount: { current: number; total: number } }) =>
        setFound({ ...matchesCount, isMissing: outcome === FindState.NOT_FOUND }),
    )
    // A turned phone, or the side panel: what was fitted is fitted again.
    const resized = new ResizeObserver(() => {
      const fitted = viewer.currentScaleValue
      if (viewer.pagesCount > 0 && Number.isNaN(Number(fitted))) viewer.currentScaleValue = fitted
    })
    resized.observe(element)
    viewer.setDocument(document)
    links.setDocument(document)
    finder.setDocument(document)
    setParts({ viewer, links, bus })
    return () => {
      control.abort()
      resized.disconnect()
      viewer.cleanup()
      setParts(null)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [container, document])

  if (state === null || parts === null) return null
  const { viewer, links, bus } = parts
  return {
    state,
    found,
    goTo(page) {
      if (page >= 1 && page <= document.numPages) viewer.currentPageNumber = page
    },
    goToDestination: (destination) => void links.goToDestination(destination),
    zoom(by) {
      viewer.updateScale({ scaleFactor: by === 1 ? ZOOM_STEP : 1 / ZOOM_STEP })
    },
    fit(how) {
      viewer.currentScaleValue = how
    },
    find(query, { again, previous }) {
      if (!again) setFound(null)
      bus.dispatch('find', {
        source: viewer,
        type: again ? 'again' : '',
        query,
        caseSensitive: false,
        entireWord: false,
        highlightAll: true,
        findPrevious: previous,
        matchDiacritics: false,
      })
    },
    endFind() {
      setFound(null)
      bus.dispatch('findbarclose', { source: viewer })
    },
  }
}

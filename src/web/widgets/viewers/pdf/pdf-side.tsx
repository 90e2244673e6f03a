import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import styles from './pdf-view.module.css'

type Destination = string | unknown[]
type OutlineNode = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number]

export interface PdfSideProps {
  document: PDFDocumentProxy
  current: number
  onPage: (page: number) => void
  onDestination: (destination: Destination) => void
}

interface OutlineLine {
  readonly title: string
  readonly depth: number
  readonly destination: Destination | null
}

const KINDS = ['pages', 'outline'] as const
const THUMBNAIL_PX = 132
/** Until a page is drawn, it has the form of A4, so that those below it stay in their places. */
const EMPTY_PX = 187
/** Lines of an outline; more would be of no help. */
const MOST_LINES = 5000

/** Small pages and, if the PDF has one, its outline. */
export function PdfSide({ document, current, onPage, onDestination }: PdfSideProps) {
  const outline = useOutline(document)
  const [chosen, setChosen] = useState<(typeof KINDS)[number] | null>(null)
  const kind = chosen ?? (outline.length > 0 ? 'outline' : 'pages')
  return (
    <aside className={styles.side} aria-label={t('pdf.side')}>
      {outline.length > 0 && (
        <div className={styles.kinds}>
          <Segmented
            label={t('pdf.side')}
            value={kind}
            options={KINDS.map((one) => ({ value: one, label: t(one === 'pages' ? 'pdf.pages' : 'book.contents') }))}
            onValue={setChosen}
          />
        </div>
      )}
      {kind === 'pages' ? (
        <ol className={styles.thumbnails}>
          {Array.from({ length: document.numPages }, (_, at) => (
            <li key={at}>
              <Thumbnail document={document} page={at + 1} isCurrent={at + 1 === current} onPage={onPage} />
            </li>
          ))}
        </ol>
      ) : (
        <ul className="pad-4">
          {outline.map(({ title, depth, destination }, at) => (
            <li key={at}>
              <button
                type="button"
                className={styles.line}
                style={{ '--depth': depth } as Record<`--${string}`, number>}
                disabled={destination === null}
                onClick={() => destination !== null && onDestination(destination)}
              >
                <bdi>{title}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
    </aside>
  )
}

function useOutline(document: PDFDocumentProxy): readonly OutlineLine[] {
  const [lines, setLines] = useState<readonly OutlineLine[]>([])
  // Reads from another thread.
  useEffect(() => {
    let isHere = true
    document.getOutline().then(
      (outline) => isHere && setLines(flat(outline ?? [], 0).slice(0, MOST_LINES)),
      // A damaged outline is none.
      () => undefined,
    )
    return () => void (isHere = false)
  }, [document])
  return lines
}

function flat(nodes: readonly OutlineNode[], depth: number): OutlineLine[] {
  return nodes.flatMap(({ title, dest, items }) => [
    { title, depth, destination: dest },
    // The nodes below have the same type, which the library does not say.
    ...flat(items as OutlineNode[], depth + 1),
  ])
}

interface ThumbnailProps {
  document: PDFDocumentProxy
  page: number
  isCurrent: boolean
  onPage: (page: number) => void
}

function Thumbnail({ document, page, isCurrent, onPage }: ThumbnailProps) {
  const button = useRef<HTMLButtonElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)

  // Drawn when it comes into view, by another thread.
  useEffect(() => {
    const [element, target] = [button.current, canvas.current]
    if (element === null || target === null) return
    const control = new AbortController()
    const seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        seen.disconnect()
        // What cannot be drawn stays an empty sheet, as in the view itself.
        draw(document, { page, target, signal: control.signal }).catch(() => undefined)
      },
      { rootMargin: '300px' },
    )
    seen.observe(element)
    return () => {
      control.abort()
      seen.disconnect()
    }
  }, [document, page])

  // Follows the view.
  useEffect(() => {
    if (isCurrent) button.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])

  return (
    <button
      ref={button}
      type="button"
      className={styles.thumbnail}
      aria-label={t('search.page', { n: formatNumber(page) })}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => onPage(page)}
    >
      <canvas ref={canvas} className={styles.sheet} width={THUMBNAIL_PX} height={EMPTY_PX} />
      <span className="muted text-caption">{formatNumber(page)}</span>
    </button>
  )
}

async function draw(
  document: PDFDocumentProxy,
  { page, target, signal }: { page: number; target: HTMLCanvasElement; signal: AbortSignal },
): Promise<void> {
  const proxy = await document.getPage(page)
  if (signal.aborted) return
  const whole = proxy.getViewport({ scale: 1 })
  const viewport = proxy.getViewport({ scale: (THUMBNAIL_PX * devicePixelRatio) / whole.width })
  target.width = Math.round(viewport.width)
  target.height = Math.round(viewport.height)
  const task = proxy.render({ canvas: target, viewport })
  signal.addEventListener('abort', () => task.cancel(), { once: true })
  await task.promise
}

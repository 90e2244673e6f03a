import { AArrowDown, AArrowUp, ChevronLeft, ChevronRight, Coffee, List, Moon, Sun } from 'lucide-react'
import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatNumber, formatPercent } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { displayName } from '../../display-name.ts'
import type { ByteSource } from '../byte-source.ts'
import type { ViewerProps } from '../viewers.ts'
import { type Book, BookProtected, openBook } from './book.ts'
import styles from './book-view.module.css'
import { Contents } from './contents.tsx'
import { PAPERS, loadReaderSettings, saveReaderSettings, stepSize } from './reader-settings.ts'
import { EMPTY_PAGE, type ReaderSettings } from './page.ts'
import { bookId, loadReadingPosition } from './reading-position.ts'
import { classes } from '../../../ui/classes.ts'
import { usePage } from './use-page.ts'

const ICON = { size: 20, strokeWidth: 1.75 }
const PAPER_ICONS = { light: <Sun {...ICON} />, sepia: <Coffee {...ICON} />, dark: <Moon {...ICON} /> }

/** EPUB reader, one chapter at a time. Nothing in the book is executed or fetched. */
export function BookView({ name, source, otherwise }: ViewerProps) {
  const book = useBook(source)
  if (book === null) return <Spinner size={32} />
  if (book === 'broken') return otherwise
  if (book === 'protected')
    return (
      <div className={styles.protected}>
        <p role="alert">{t('book.protected')}</p>
        {otherwise}
      </div>
    )
  return <Reader book={book} name={name} id={bookId(name, source.size)} />
}

function Reader({ book, name, id }: { book: Book; name: string; id: string }) {
  const [first] = useState(() => loadReadingPosition(localStorage, id, { chapters: book.chapters.length }))
  // The overlay is always dark; use the page's theme.
  const [look, setLook] = useState(() => loadReaderSettings(localStorage, { isDark: document.documentElement.classList.contains('dark') }))
  const [listed, setListed] = useState(false)
  const frame = useRef<HTMLIFrameElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)
  const forward = book.isRtl ? 'ArrowLeft' : 'ArrowRight'

  const like = (changed: Partial<ReaderSettings>) => {
    const wanted = { ...look, ...changed }
    saveReaderSettings(localStorage, wanted)
    setLook(wanted)
  }
  const turn = (by: 1 | -1) => page.open({ chapter: page.chapter + by, at: 0 })
  const turned = ({
    key,
    ctrlKey,
    metaKey,
    altKey,
    shiftKey,
  }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>) => {
    if (ctrlKey || metaKey || altKey || shiftKey || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return false
    turn(key === forward ? 1 : -1)
    return true
  }
  const page = usePage(frame, {
    book,
    id,
    first,
    look,
    onKey(event) {
      if (turned(event)) event.preventDefault()
      // Keys in the iframe do not bubble; forward Escape.
      else if (event.key === 'Escape') dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
    },
  })
  const close = () => {
    setListed(false)
    toggle.current?.focus()
  }
  const onKeyDown = (event: ReactKeyboardEvent) => {
    if (event.key === 'Escape' && listed) close()
    else if (event.key === 'Escape') return
    else if (event.target instanceof HTMLInputElement || !turned(event.nativeEvent)) {
      // Keys handled here must not reach the preview; global shortcuts still do.
      if (!event.ctrlKey && !event.metaKey && event.key !== 'F1') event.stopPropagation()
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const { chapter, state } = page
  const [back, on] = book.isRtl ? [ChevronRight, ChevronLeft] : [ChevronLeft, ChevronRight]
  const [Back, On] = [back, on]
  return (
    <div className={styles.reader} onKeyDown={onKeyDown} data-part="book" data-paper={look.paper}>
      <div className={styles.bar}>
        {book.contents.length > 0 && (
          <IconButton
            ref={toggle}
            label={t('book.contents')}
            icon={List}
            iconSize={20}
            aria-expanded={listed}
            onClick={() => setListed(!listed)}
          />
        )}
        <p className={classes(styles.title, 'truncated')}>
          <bdi>{displayName(book.title ?? t('book.untitled'))}</bdi>
          {book.author !== null && (
            <span className="muted">
              {' · '}
              <bdi>{displayName(book.author)}</bdi>
            </span>
          )}
        </p>
        <IconButton label={t('book.smaller')} icon={AArrowDown} iconSize={20} onClick={() => like({ size: stepSize(look.size, -1) })} />
        <IconButton label={t('book.larger')} icon={AArrowUp} iconSize={20} onClick={() => like({ size: stepSize(look.size, 1) })} />
        <span className="sr-only" role="status">
          {t('book.size', { percent: formatPercent(look.size / 100) })}
        </span>
        <Segmented
          label={t('book.theme')}
          value={look.paper}
          options={PAPERS.map((paper) => ({ value: paper, label: t(`book.theme.${paper}`), icon: PAPER_ICONS[paper] }))}
          onValue={(paper) => like({ paper })}
        />
      </div>
      <div className="relative flex shrinkable-block">
        {listed && (
          <Contents
            lines={book.contents}
            chapter={chapter}
            dir={book.isRtl ? 'rtl' : 'auto'}
            onChoose={({ chapter: to, fragment }) => {
              page.open({ chapter: to, at: fragment })
              close()
            }}
          />
        )}
        {/* Same-origin, so that chapters can be inserted; without scripts. */}
        <iframe
          ref={frame}
          className={styles.frame}
          sandbox="allow-same-origin"
          srcDoc={EMPTY_PAGE}
          title={displayName(name)}
          onLoad={page.hold}
          data-state={state}
        />
        {state === 'loading' && (
          <div className={styles.wait}>
            <Spinner size={32} />
          </div>
        )}
        {state === 'broken' && (
          <p className={styles.broken} role="alert">
            {t('book.broken')}
          </p>
        )}
      </div>
      <div className={styles.foot} dir={book.isRtl ? 'rtl' : 'ltr'}>
        <IconButton label={t('book.previous')} icon={Back} iconSize={20} aria-disabled={chapter === 0} onClick={() => turn(-1)} />
        <p role="status" dir="auto">
          {t('book.chapter', { at: formatNumber(chapter + 1), count: formatNumber(book.chapters.length) })}
        </p>
        <IconButton
          label={t('book.next')}
          icon={On}
          iconSize={20}
          aria-disabled={chapter === book.chapters.length - 1}
          onClick={() => turn(1)}
        />
      </div>
    </div>
  )
}

/** Null while loading; `broken` if it is not an EPUB, `protected` if it is encrypted. */
function useBook(source: ByteSource): Book | 'broken' | 'protected' | null {
  const [book, setBook] = useState<Book | 'broken' | 'protected' | null>(null)
  // Reads the file.
  useEffect(() => {
    const left = new AbortController()
    openBook(source, { signal: left.signal }).then(
      (opened) => !left.signal.aborted && setBook(opened),
      (error: unknown) => !left.signal.aborted && setBook(error instanceof BookProtected ? 'protected' : 'broken'),
    )
    return () => left.abort()
  }, [source])
  return book
}

import type { PDFDocumentProxy } from 'pdfjs-dist'
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { displayName } from '../../display-name.ts'
import { PasswordField } from '../../password-field.tsx'
import type { ByteSource } from '../byte-source.ts'
import type { PdfViewerProps } from '../viewers.ts'
import { openPdf, type PasswordQuestion } from './open-pdf.ts'
import { PdfBar } from './pdf-bar.tsx'
import { PdfSearch } from './pdf-search.tsx'
import { PdfSide } from './pdf-side.tsx'
import './pdf-layers.css'
import styles from './pdf-view.module.css'
import { printPdf } from './print-pdf.ts'
import { useViewer } from './use-viewer.ts'

/** PDF viewer: pages, search, outline, thumbnails, text that can be selected, and printing. Nothing in the PDF is executed or fetched. */
export function PdfView({ name, source, address, first, onPage, otherwise }: PdfViewerProps) {
  const { document, question } = usePdf(source)
  if (document === 'broken') return otherwise
  if (question !== null) return <PasswordForm question={question} />
  if (document === null) return <Spinner size={32} />
  return <Pages key={document.fingerprints[0]} document={document} name={name} first={first} onPage={onPage} address={address} />
}

interface PagesProps {
  document: PDFDocumentProxy
  name: string
  address: string
  first: number
  onPage: (page: number) => void
}

function Pages({ document, name, address, first, onPage }: PagesProps) {
  const container = useRef<HTMLDivElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const [isSearching, setSearching] = useState(false)
  const [side, setSide] = useState(false)
  const viewing = useViewer(container, { document, first, onPage })

  const search = () => {
    setSearching(true)
    searchField.current?.select()
    searchField.current?.focus()
  }
  const endSearch = () => {
    setSearching(false)
    viewing?.endFind()
    container.current?.focus()
  }
  // As in the stylesheet.
  const isSideOver = () => matchMedia('(width < 1024px)').matches
  // The focus may have been in what is closed.
  const endSide = () => {
    setSide(false)
    container.current?.focus()
  }
  useFindKey(container, search)
  useFirstFocus(container)
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    if (key === 'Escape' && isSearching) endSearch()
    else if (key === 'Escape' && side) endSide()
    else if (ctrlKey || metaKey || altKey || event.target instanceof HTMLInputElement || viewing === null) return
    else if (key === '+' || key === '=') viewing.zoom(1)
    else if (key === '-') viewing.zoom(-1)
    else if (key === '0') viewing.fit('page-width')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={styles.viewer} onKeyDown={onKeyDown} data-part="pdf">
      <PdfBar
        viewing={viewing}
        pages={document.numPages}
        isSideOpen={side}
        onSide={() => setSide(!side)}
        onSearch={isSearching ? endSearch : search}
        isSearching={isSearching}
        onPrint={navigator.pdfViewerEnabled ? () => printPdf(address) : null}
      />
      {isSearching && viewing !== null && <PdfSearch ref={searchField} viewing={viewing} onClose={endSearch} />}
      <div className={styles.body}>
        {side && viewing !== null && (
          <PdfSide
            document={document}
            current={viewing.state.page}
            onPage={(page) => {
              viewing.goTo(page)
              if (isSideOver()) endSide()
            }}
            onDestination={(destination) => {
              viewing.goToDestination(destination)
              if (isSideOver()) endSide()
            }}
          />
        )}
        <div className={styles.stage}>
          {/* PDF.js fills the inner element. Keys scroll it, so that they belong to it. */}
          <div ref={container} className={styles.scroller} tabIndex={0} role="region" aria-label={displayName(name)} data-own-keys>
            <div data-part="pdf-pages" />
          </div>
          {viewing === null && (
            <div className={styles.wait}>
              <Spinner size={32} />
            </div>
          )}
        </div>
      </div>
    </div>
  )
}

/** Ctrl+F searches the PDF, wherever the focus is, instead of the folder. */
function useFindKey(container: RefObject<HTMLElement | null>, search: () => void): void {
  const onKeyDown = useEffectEvent((event: WindowEventMap['keydown']) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (key.toLowerCase() !== 'f' || !(ctrlKey || metaKey) || altKey || shiftKey) return
    // A dialog is above it.
    if (container.current === null || container.current.closest('[inert]') !== null) return
    event.preventDefault()
    event.stopPropagation()
    search()
  })
  // Before the page, which has the same key.
  useEffect(() => {
    const control = new AbortController()
    window.addEventListener('keydown', (event) => onKeyDown(event), { capture: true, signal: control.signal })
    return () => control.abort()
  }, [])
}

/** Keys scroll at once, unless something else was focused. */
function useFirstFocus(container: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body) container.current?.focus({ preventScroll: true })
  }, [container])
}

function PasswordForm({ question }: { question: PasswordQuestion }) {
  const [password, setPassword] = useState('')
  return (
    <form
      className={styles.password}
      onSubmit={(event) => {
        event.preventDefault()
        question.answer(password)
      }}
    >
      <p>{t('pdf.protected')}</p>
      <PasswordField
        label={t('login.password')}
        value={password}
        onValue={setPassword}
        autoComplete="off"
        autoFocus
        error={question.isAgain && password === '' ? t('visit.wrong-password') : undefined}
      />
      <Button type="submit" variant="primary" label={t('visit.password.submit')} />
    </form>
  )
}

function usePdf(source: ByteSource): { document: PDFDocumentProxy | 'broken' | null; question: PasswordQuestion | null } {
  const [document, setDocument] = useState<PDFDocumentProxy | 'broken' | null>(null)
  const [question, setQuestion] = useState<PasswordQuestion | null>(null)
  // Holds a thread and memory until the file is left.
  useEffect(() => {
    let isHere = true
    const opening = openPdf(source, (asked) =>
      setQuestion({
        ...asked,
        answer(password) {
          setQuestion(null)
          asked.answer(password)
        },
      }),
    )
    opening.document.then(
      (opened) => isHere && setDocument(opened),
      () => isHere && setDocument('broken'),
    )
    return () => {
      isHere = false
      setDocument(null)
      setQuestion(null)
      opening.close()
    }
  }, [source])
  return { document, question }
}

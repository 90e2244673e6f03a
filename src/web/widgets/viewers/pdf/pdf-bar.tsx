import { ChevronDown, ChevronUp, MoveHorizontal, PanelLeft, Printer, Search, ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { formatNumber, formatPercent } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { keysText } from '../../../i18n/keys.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import styles from './pdf-view.module.css'
import type { PdfViewing } from './use-viewer.ts'

export interface PdfBarProps {
  /** Null until the first page is there. */
  viewing: PdfViewing | null
  pages: number
  isSideOpen: boolean
  onSide: () => void
  isSearching: boolean
  onSearch: () => void
  /** Null where the browser cannot print it. */
  onPrint: (() => void) | null
}

export function PdfBar({ viewing, pages, isSideOpen, onSide, isSearching, onSearch, onPrint }: PdfBarProps) {
  const page = viewing?.state.page ?? 1
  const zoom = formatPercent(viewing?.state.scale ?? 1)
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('pdf.tools')}>
      <IconButton
        label={t('pdf.side')}
        icon={<PanelLeft size={20} strokeWidth={1.75} className="mirror" />}
        aria-expanded={isSideOpen}
        onClick={onSide}
      />
      <span className={styles.pages}>
        <IconButton
          label={t('pdf.previous')}
          icon={ChevronUp}
          disabled={page <= 1}
          onClick={() => viewing?.goTo(page - 1)}
          className={styles.step}
        />
        <PageField page={page} pages={pages} onPage={(to) => viewing?.goTo(to)} />
        <span className="muted text-small nowrap">{t('pdf.of', { count: formatNumber(pages) })}</span>
        <IconButton
          label={t('pdf.next')}
          icon={ChevronDown}
          disabled={page >= pages}
          onClick={() => viewing?.goTo(page + 1)}
          className={styles.step}
        />
      </span>
      <span className="row gap-2">
        <IconButton label={t('pdf.smaller')} shortcut={keysText('-')} icon={ZoomOut} onClick={() => viewing?.zoom(-1)} />
        <span className={styles.zoom} role="status">
          <span className="sr-only">{t('pdf.zoom', { percent: zoom })}</span>
          <span aria-hidden>{zoom}</span>
        </span>
        <IconButton label={t('pdf.larger')} shortcut={keysText('+')} icon={ZoomIn} onClick={() => viewing?.zoom(1)} />
        <IconButton
          label={t('pdf.width')}
          shortcut={keysText('0')}
          icon={MoveHorizontal}
          onClick={() => viewing?.fit('page-width')}
          className={styles.fit}
        />
      </span>
      <IconButton label={t('editor.find')} shortcut={keysText('Ctrl+F')} icon={Search} aria-expanded={isSearching} onClick={onSearch} />
      {onPrint !== null && <IconButton label={t('pdf.print')} icon={Printer} onClick={onPrint} />}
    </div>
  )
}

/** The number of the page, which one can type. */
function PageField({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  const go = () => {
    const wanted = Number(typed)
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= pages) onPage(wanted)
    setTyped(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go()
    // Escape without a change is for the viewer.
    else if (event.key !== 'Escape' || typed === null) return
    event.stopPropagation()
    setTyped(null)
  }
  return (
    <input
      className={styles.page}
      aria-label={t('pdf.page')}
      inputMode="numeric"
      dir="ltr"
      value={typed ?? page}
      onChange={(event) => setTyped(event.target.value)}
      onFocus={(event) => event.target.select()}
      onBlur={go}
      onKeyDown={onKeyDown}
    />
  )
}

import { ArrowLeft, ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { createPortal } from 'react-dom'
import { t } from '../i18n/i18n.tsx'
import { keysText } from '../i18n/keys.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { useModalLayer } from '../ui/modal-layers.ts'
import { usePageEvent } from '../ui/use-page-event.ts'
import { displayName } from './display-name.ts'
import { useIdle } from './use-idle.ts'
import styles from './preview-overlay.module.css'

export type PreviewTheme = 'dark' | 'page'

export interface PreviewOverlayProps {
  name: string
  /** Below the name: position, dimensions. */
  meta: ReactNode
  /** Buttons at the end of the bar. */
  actions: ReactNode
  /** Whether bar and arrows overlap the content and hide when idle. */
  hides: boolean
  /** Whether keys belong to something else, such as a dialog. */
  isQuiet: () => boolean
  onClose: () => void
  /** Null if there is none. */
  onPrevious: (() => void) | null
  onNext: (() => void) | null
  /** Below the content, for example a filmstrip. */
  footer?: ReactNode
  /** Content extends below the controls; on phones it fills the screen. */
  edgeToEdge?: boolean
  /** Dark for images and videos; the page's colours for anything that is read. */
  theme?: PreviewTheme
  children: ReactNode
}

/** Full-window preview of a file; arrow keys and Enter move to its neighbours, Escape closes. The page is inert meanwhile. */
export function PreviewOverlay({
  name,
  meta,
  actions,
  hides,
  isQuiet,
  onClose,
  onPrevious,
  onNext,
  footer,
  edgeToEdge = false,
  theme = 'dark',
  children,
}: PreviewOverlayProps) {
  const whole = useRef<HTMLDivElement>(null)
  const idle = useIdle(whole, { hides })
  useModalLayer(whole)
  usePreviewKeys({ isQuiet, onClose, onPrevious, onNext })
  return createPortal(
    <div
      ref={whole}
      className={styles.whole}
      data-idle={idle || undefined}
      data-edge-to-edge={edgeToEdge || undefined}
      data-part="preview"
      data-look={theme}
    >
      <header className={styles.bar} data-controls>
        <IconButton
          label={t('preview.close')}
          shortcut={keysText('Esc')}
          icon={<ArrowLeft size={20} strokeWidth={1.75} className="mirror" />}
          onClick={onClose}
        />
        <div className="grow shrinkable pad-inline-4">
          <h1 className="text-name truncated" title={displayName(name)}>
            <bdi>{displayName(name)}</bdi>
          </h1>
          <p className="muted text-caption">{meta}</p>
        </div>
        {actions}
      </header>
      <main className={styles.stage}>{children}</main>
      {footer !== undefined && (
        <div className={styles.foot} data-controls>
          {footer}
        </div>
      )}
      {/* Moving to another file or deleting one changes the content without moving focus, so it is announced. */}
      <p className="sr-only" role="status">
        {displayName(name)}
      </p>
      {onPrevious !== null && (
        <div className={styles.previous} data-controls>
          <IconButton
            label={t('preview.previous')}
            icon={<ChevronLeft size={28} className="mirror" />}
            onClick={onPrevious}
            className={styles.arrow}
          />
        </div>
      )}
      {onNext !== null && (
        <div className={styles.next} data-controls>
          <IconButton
            label={t('preview.next')}
            icon={<ChevronRight size={28} className="mirror" />}
            onClick={onNext}
            className={styles.arrow}
          />
        </div>
      )}
    </div>,
    document.body,
  )
}

/** Left and Right follow the reading direction; Enter goes to the next; focused controls keep Enter. */
function usePreviewKeys({
  isQuiet,
  onClose,
  onPrevious,
  onNext,
}: Pick<PreviewOverlayProps, 'isQuiet' | 'onClose' | 'onPrevious' | 'onNext'>): void {
  usePageEvent('keydown', (event) => {
    if (isQuiet() || event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target instanceof Element ? event.target : null
    const rtl = document.documentElement.dir === 'rtl'
    if (event.key === 'Escape') onClose()
    // Arrow keys seek in a player.
    else if (target?.closest('video, audio, input, textarea, [data-own-keys]') !== null && target !== null) return
    else if (event.key === (rtl ? 'ArrowRight' : 'ArrowLeft')) onPrevious?.()
    else if (event.key === (rtl ? 'ArrowLeft' : 'ArrowRight')) onNext?.()
    else if (event.key === 'Enter' && (target?.closest('button, a') ?? null) === null) onNext?.()
  })
}

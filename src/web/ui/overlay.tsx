import { CSPProvider } from '@base-ui/react/csp-provider'
import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useContext, useRef } from 'react'
import { DialogLife } from './dialog-life.ts'
import styles from './overlay.module.css'

export interface OverlayProps {
  /** Read aloud, not shown. */
  title: string
  /** Escape or the scrim. */
  onDismiss: () => void
  children: ReactNode
}

/** A modal that hangs from the top of the page, and covers it on phones. Focus goes to the element with `data-autofocus`, and back when it closes. */
export function Overlay({ title, onDismiss, children }: OverlayProps) {
  const { open, onGone } = useContext(DialogLife)
  const popup = useRef<HTMLDivElement>(null)
  return (
    <CSPProvider disableStyleElements>
      <Base.Root open={open} onOpenChange={(next) => !next && onDismiss()} onOpenChangeComplete={(next) => !next && onGone()}>
        <Base.Portal>
          <Base.Backdrop className={styles.backdrop} forceRender />
          <Base.Viewport className={styles.viewport}>
            <Base.Popup
              ref={popup}
              className={styles.popup}
              data-part="overlay"
              initialFocus={() => popup.current?.querySelector<HTMLElement>('[data-autofocus]') ?? true}
            >
              <Base.Title className="sr-only">{title}</Base.Title>
              {children}
            </Base.Popup>
          </Base.Viewport>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  )
}

import { CSPProvider } from '@base-ui/react/csp-provider'
import { Dialog as Base } from '@base-ui/react/dialog'
import { type KeyboardEventHandler, type ReactNode, useContext, useRef } from 'react'
import { classes } from './classes.ts'
import { DialogContext } from './dialog-context.ts'
import { useModalLayer } from './modal-layers.ts'
import styles from './modal.module.css'
import { useBackToClose } from './use-back-to-close.ts'

export interface ModalProps {
  part: 'dialog' | 'overlay'
  /** Position in the window. */
  viewportClassName: string | undefined
  className: string | undefined
  /** Escape, Back or a press on the backdrop. */
  onDismiss: () => void
  onKeyDown?: KeyboardEventHandler<HTMLElement>
  children: ReactNode
}

/**
 * Base of dialogs and overlays. Focus moves to the element with `data-autofocus`, otherwise to the first focusable one, and is restored on closing.
 */
export function Modal({ part, viewportClassName, className, onDismiss, onKeyDown, children }: ModalProps) {
  const { open, onGone } = useContext(DialogContext)
  const popup = useRef<HTMLDivElement>(null)
  useBackToClose({ open, onBack: onDismiss })
  return (
    <CSPProvider disableStyleElements>
      <Base.Root
        open={open}
        onOpenChange={(next, { event }) => !next && !isOnNotice(event) && onDismiss()}
        onOpenChangeComplete={(next) => !next && onGone()}
      >
        <Base.Portal>
          <Base.Backdrop className={styles.backdrop} forceRender />
          <Base.Viewport className={classes(styles.viewport, viewportClassName)}>
            <Base.Popup
              ref={popup}
              className={classes(styles.popup, className)}
              data-part={part}
              onKeyDown={onKeyDown}
              initialFocus={() => popup.current?.querySelector<HTMLElement>('[data-autofocus]') ?? true}
            >
              <Layer open={open} />
              {children}
            </Base.Popup>
          </Base.Viewport>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  )
}

/** Inside the popup, because only then is it in the document. */
function Layer({ open }: { open: boolean }) {
  const within = useRef<HTMLSpanElement>(null)
  useModalLayer(within, { open })
  return <span ref={within} hidden />
}

/** A press on a notice does not dismiss the dialog below it. */
function isOnNotice(event: Event): boolean {
  return event.target instanceof Element && event.target.closest('[data-part=notices]') !== null
}

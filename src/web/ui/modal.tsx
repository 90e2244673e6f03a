import { CSPProvider } from '@base-ui/react/csp-provider'
import { Dialog as Base } from '@base-ui/react/dialog'
import { type KeyboardEventHandler, type ReactNode, useContext, useRef } from 'react'
import { classes } from './classes.ts'
import { DialogContext } from './dialog-context.ts'
import { useModalLayer } from './modal-layers.ts'
import styles from './modal.module.css'

export interface ModalProps {
  part: 'dialog' | 'overlay'
  /** Where in the window it stands. */
  viewportClassName: string | undefined
  className: string | undefined
  /** Escape or the scrim. */
  onDismiss: () => void
  onKeyDown?: KeyboardEventHandler<HTMLElement>
  children: ReactNode
}

/** What dialogs and overlays have in common. Focus goes to the element with `data-autofocus`, else to the first that can take it, and back when it closes. */
export function Modal({ part, viewportClassName, className, onDismiss, onKeyDown, children }: ModalProps) {
  const { open, onGone } = useContext(DialogContext)
  const popup = useRef<HTMLDivElement>(null)
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

/** In the popup, because only then is there a place in the document to speak of. */
function Layer({ open }: { open: boolean }) {
  const within = useRef<HTMLSpanElement>(null)
  useModalLayer(within, { open })
  return <span ref={within} hidden />
}

/** A press on a notice is about the notice; the dialog below it stays. */
function isOnNotice(event: Event): boolean {
  return event.target instanceof Element && event.target.closest('[data-part=notices]') !== null
}

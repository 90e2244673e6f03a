import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { t } from '../i18n/i18n.tsx'
import styles from './drawer.module.css'

/** The navigation of phones. The browser's own modal: focus, Escape and the rest of the page are its business. */
export function Drawer({ open, onClose, children }: { open: boolean; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  // A modal is opened by a method, not by an attribute.
  useEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])
  const onClick = (event: MouseEvent) => event.target === event.currentTarget && onClose()
  return (
    <dialog
      ref={dialog}
      className={styles.drawer}
      aria-label={t('frame.navigation')}
      data-part="drawer"
      onClose={onClose}
      onClick={onClick}
    >
      {open && <div className={styles.content}>{children}</div>}
    </dialog>
  )
}

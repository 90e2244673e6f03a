import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { coverPage } from '../data/prompts.ts'
import { t } from '../i18n/i18n.tsx'
import { useBackToClose } from '../ui/use-back-to-close.ts'
import styles from './drawer.module.css'

/** Navigation drawer on phones: a native modal `<dialog>`, which handles focus, Escape and inertness. */
export function Drawer({ open, onClose, children }: { open: boolean; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  // `<dialog>` opens as a modal only through its method.
  useEffect(() => {
    if (!open) return dialog.current?.close()
    dialog.current?.showModal()
    return coverPage()
  }, [open])
  useBackToClose({ open, onBack: onClose })
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

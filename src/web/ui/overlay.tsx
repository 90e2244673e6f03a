import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { Modal } from './modal.tsx'
import styles from './overlay.module.css'

export interface OverlayProps {
  /** Read aloud, not shown. */
  title: string
  /** Escape or the scrim. */
  onDismiss: () => void
  children: ReactNode
}

/** A modal that hangs from the top of the page, and covers it on phones. */
export function Overlay({ title, onDismiss, children }: OverlayProps) {
  return (
    <Modal part="overlay" viewportClassName={styles.viewport} className={styles.popup} onDismiss={onDismiss}>
      <Base.Title className="sr-only">{title}</Base.Title>
      {children}
    </Modal>
  )
}

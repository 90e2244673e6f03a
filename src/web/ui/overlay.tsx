import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { Modal } from './modal.tsx'
import styles from './overlay.module.css'

export interface OverlayProps {
  /** Accessible name. */
  title: string
  /** Escape, Back or a press on the backdrop. */
  onDismiss: () => void
  children: ReactNode
}

/** A modal at the top of the window; full screen on phones. */
export function Overlay({ title, onDismiss, children }: OverlayProps) {
  return (
    <Modal part="overlay" viewportClassName={styles.viewport} className={styles.popup} onDismiss={onDismiss}>
      <Base.Title className="sr-only">{title}</Base.Title>
      {children}
    </Modal>
  )
}

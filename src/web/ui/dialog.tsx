import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type ReactNode, useContext } from 'react'
import { classes } from './classes.ts'
import { DialogContext } from './dialog-context.ts'
import styles from './dialog.module.css'
import { IconButton } from './icon-button.tsx'
import { Modal } from './modal.tsx'

export interface DialogProps {
  title: ReactNode
  description?: ReactNode
  /**
   * Width on wide screens: 480, 520, 560, 720, 960 px. On phones every dialog is a bottom sheet; `full` fills the screen. `window` is as large as the
   * window, and its content scrolls by itself.
   */
  size?: 'small' | 'normal' | 'wide' | 'huge' | 'vast' | 'window'
  full?: boolean
  /** Label of the close button; there is none without it. */
  closeLabel?: string
  /** Escape, Back, backdrop or close button. Not called while `busy`. */
  onDismiss: () => void
  /** Enter, where it has no other meaning, or the submit button. */
  onSubmit?: () => void
  busy?: boolean
  /** Buttons, primary last; stacked on phones, primary first. */
  actions?: ReactNode
  children?: ReactNode
}

/** A modal dialog. */
export function Dialog(props: DialogProps) {
  const { title, description, size = 'normal', full, closeLabel, onDismiss, onSubmit, busy, actions, children } = props
  const { open } = useContext(DialogContext)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (open && !busy) onSubmit?.()
  }
  const content = (
    <>
      <div className={styles.body}>{children}</div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </>
  )
  return (
    <Modal
      part="dialog"
      viewportClassName={styles.viewport}
      className={classes(styles.popup, styles[size], full && styles.full)}
      onDismiss={() => !busy && onDismiss()}
      onKeyDown={submitOnEnter}
    >
      <span className={styles.handle} aria-hidden />
      <div className={styles.head}>
        <div className={styles.words}>
          <Base.Title className={styles.title}>{title}</Base.Title>
          {description && <Base.Description className={styles.description}>{description}</Base.Description>}
        </div>
        {closeLabel && <IconButton label={closeLabel} icon={X} onClick={onDismiss} />}
      </div>
      {onSubmit ? (
        <form className={styles.form} onSubmit={submit} noValidate>
          {content}
        </form>
      ) : (
        <div className={styles.form}>{content}</div>
      )}
    </Modal>
  )
}

/** Enter on the dialog itself or on text; fields and buttons handle it themselves. */
function submitOnEnter({ key, target, currentTarget, defaultPrevented }: KeyboardEvent<HTMLElement>): void {
  if (key !== 'Enter' || defaultPrevented || !(target instanceof Element) || target.closest('a, button, input, textarea, select')) return
  currentTarget.querySelector('form')?.requestSubmit()
}

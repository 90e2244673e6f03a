import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { DialogActions } from '../widgets/dialog-actions.tsx'
import { PasswordField } from '../widgets/password-field.tsx'

export interface PasswordDialogProps {
  title: string
  text: string
  /** For password managers. */
  username: string
  label: string
  /** Error for an empty field. */
  empty: string
  submit: string
  /** Label of the leave button. */
  leave: string
  /** Tries the password. If it throws, the dialog stays open and shows `problemOf(error)`. */
  attempt: (password: string) => Promise<void>
  problemOf: (error: unknown) => string
  onDone: () => void
  onLeave: () => void
  /** Escape or a click on the backdrop. */
  onDismiss: () => void
  /** Further fields. */
  children?: ReactNode
}

/** Asks for a password until it is correct or the user gives up. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { title, text, username, label, empty, submit, leave, attempt, problemOf, onDone, onLeave, onDismiss, children } = props
  const [password, setPassword] = useState('')
  const [isEmpty, setIsEmpty] = useState(false)
  const check = useMutation({ mutationFn: attempt, meta: { shows: 'all' }, onSuccess: onDone })
  const problem = isEmpty ? empty : check.error && problemOf(check.error)

  const onSubmit = () => {
    if (password === '') setIsEmpty(true)
    else check.mutate(password)
  }
  return (
    <Dialog
      title={title}
      description={text}
      size="small"
      onDismiss={onDismiss}
      onSubmit={onSubmit}
      busy={check.isPending}
      actions={<DialogActions onCancel={onLeave} cancel={leave} submit={submit} busy={check.isPending} />}
    >
      {/* Password managers need the user name. */}
      <input hidden readOnly autoComplete="username" value={username} />
      <PasswordField
        label={label}
        name="current-password"
        autoComplete="current-password"
        data-autofocus
        required
        error={problem}
        value={password}
        onValue={(value) => {
          setPassword(value)
          setIsEmpty(false)
          check.reset()
        }}
      />
      {children}
    </Dialog>
  )
}

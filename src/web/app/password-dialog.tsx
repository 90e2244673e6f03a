import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../i18n/i18n.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PasswordField } from '../ui/password-field.tsx'

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
}

/** Asks for a password until it is correct or the user gives up. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { title, text, username, label, empty, submit, leave, attempt, problemOf, onDone, onLeave, onDismiss } = props
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
      actions={
        <>
          <Button variant="quiet" onClick={onLeave} disabled={check.isPending}>
            {leave}
          </Button>
          <Button type="submit" variant="primary" busy={check.isPending}>
            {submit}
          </Button>
        </>
      }
    >
      {/* Password managers need the user name. */}
      <input hidden readOnly autoComplete="username" value={username} />
      <PasswordField
        label={label}
        name="current-password"
        autoComplete="current-password"
        data-autofocus
        required
        revealLabel={t('login.reveal')}
        concealLabel={t('login.conceal')}
        capsLockHint={t('login.caps-lock')}
        error={problem}
        value={password}
        onValue={(value) => {
          setPassword(value)
          setIsEmpty(false)
          check.reset()
        }}
      />
    </Dialog>
  )
}

import { type ReactNode, useState } from 'react'
import { t } from '../i18n/i18n.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/text-field.tsx'
import { displayName } from './display-name.ts'
import { DialogActions } from './dialog-actions.tsx'
import { nameProblem } from './names.ts'

export interface NameDialogProps {
  title: string
  label: string
  submit: string
  initial: string
  /** Number of initially selected characters. */
  chosen?: number
  /** The unchanged name is not accepted. */
  mustChange?: boolean
  /** Completes the typed text to the full name. */
  whole?: (typed: string) => string
  hint?: (name: string) => string
  taken: (name: string) => boolean
  onName: (name: string) => void
  onDismiss: () => void
  /** Additional fields. */
  children?: ReactNode
}

/** Asks for a name with inline validation; an empty field is only reported on submit. */
export function NameDialog(props: NameDialogProps) {
  const { title, label, submit, initial, chosen = 0, mustChange = false, whole, hint, taken, onName, onDismiss, children } = props
  const [typed, setTyped] = useState(initial)
  const [sent, setSent] = useState(false)
  const trimmed = typed.trim()
  const name = trimmed === '' || whole === undefined ? trimmed : whole(trimmed)
  const unchanged = mustChange && name === initial
  const problem = unchanged ? null : nameProblem(name, taken)
  const shown = problem !== null && (problem !== 'empty' || sent) ? problem : null

  const finish = () => {
    setSent(true)
    if (unchanged) onDismiss()
    else if (problem === null) onName(name)
  }
  return (
    <Dialog
      title={title}
      onDismiss={onDismiss}
      onSubmit={finish}
      actions={<DialogActions onCancel={onDismiss} submit={submit} disabledReason={unchanged ? t('files.name.unchanged') : null} />}
    >
      <TextField
        label={label}
        verbatim
        value={typed}
        onValue={setTyped}
        error={shown === null ? null : t(`files.name.${shown}`, { name: displayName(name) })}
        hint={hint === undefined || name === '' ? undefined : hint(name)}
        autoComplete="off"
        data-autofocus
        onFocus={(event) => {
          // Only on first focus; later the user has a cursor position.
          if (!event.target.dataset.met) event.target.setSelectionRange(0, chosen)
          event.target.dataset.met = 'yes'
        }}
      />
      {children}
    </Dialog>
  )
}

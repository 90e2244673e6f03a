import { type ReactNode, useState } from 'react'
import { t } from '../i18n/i18n.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/text-field.tsx'
import { displayName } from './display-name.ts'
import { nameProblem } from './names.ts'

export interface NameDialogProps {
  title: string
  label: string
  submit: string
  initial: string
  /** How many characters are selected at the start. */
  chosen?: number
  /** The same name again is no answer. */
  mustChange?: boolean
  /** The whole name for what is typed, where that is only a part of it. */
  whole?: (typed: string) => string
  hint?: (name: string) => string
  taken: (name: string) => boolean
  onName: (name: string) => void
  onDismiss: () => void
  /** What else is asked. */
  children?: ReactNode
}

/** Asks for a name and judges it in place: mistakes while typing at once, an empty field only when it is sent. */
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
      actions={
        <>
          <Button variant="quiet" onClick={onDismiss}>
            {t('action.cancel')}
          </Button>
          <Button variant="primary" type="submit" disabledReason={unchanged ? t('files.name.unchanged') : null}>
            {submit}
          </Button>
        </>
      }
    >
      <TextField
        label={label}
        value={typed}
        onValue={setTyped}
        error={shown === null ? null : t(`files.name.${shown}`, { name: displayName(name) })}
        hint={hint === undefined || name === '' ? undefined : hint(name)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        onFocus={(event) => {
          // The first time only: whoever comes back with Tab has a place of their own in the text.
          if (!event.target.dataset.met) event.target.setSelectionRange(0, chosen)
          event.target.dataset.met = 'yes'
        }}
      />
      {children}
    </Dialog>
  )
}

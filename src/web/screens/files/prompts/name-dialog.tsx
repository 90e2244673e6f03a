import { useState } from 'react'
import type { PromptProps } from '../../../data/prompts.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { nameProblem, stemLength } from '../../../widgets/names.ts'

export function NewFolderDialog({ taken, onAnswer, onDismiss }: PromptProps<'new-folder'>) {
  const texts = { title: t('files.new-folder.title'), label: t('files.new-folder.label'), submit: t('files.create') }
  return <NameDialog {...texts} initial="" taken={taken} onName={onAnswer} onDismiss={onDismiss} />
}

export function NewFileDialog({ taken, onAnswer, onDismiss }: PromptProps<'new-file'>) {
  const texts = { title: t('files.new-file.title'), label: t('files.new-file.label'), submit: t('files.create') }
  return <NameDialog {...texts} initial="" taken={taken} onName={onAnswer} onDismiss={onDismiss} />
}

export function RenameDialog({ name, isDir, taken, onAnswer, onDismiss }: PromptProps<'rename'>) {
  const texts = {
    title: t('files.rename.title', { name: displayName(name) }),
    label: t('files.rename.label'),
    submit: t('files.action.rename'),
  }
  const chosen = stemLength(name, { isDir })
  return <NameDialog {...texts} initial={name} chosen={chosen} taken={taken} onName={onAnswer} onDismiss={onDismiss} />
}

interface NameDialogProps {
  title: string
  label: string
  submit: string
  initial: string
  /** How many characters are selected at the start. */
  chosen?: number
  taken: (name: string) => boolean
  onName: (name: string) => void
  onDismiss: () => void
}

/** Asks for a name and judges it in place: mistakes while typing at once, an empty field only when it is sent. */
function NameDialog({ title, label, submit, initial, chosen = 0, taken, onName, onDismiss }: NameDialogProps) {
  const [typed, setTyped] = useState(initial)
  const [sent, setSent] = useState(false)
  const name = typed.trim()
  const unchanged = initial !== '' && name === initial
  const problem = unchanged ? null : nameProblem(typed, taken)
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
    </Dialog>
  )
}

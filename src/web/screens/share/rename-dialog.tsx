import { useState } from 'react'
import type { PromptProps } from '../../data/prompts.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { nameProblem } from '../../widgets/names.ts'

/** Asks a visitor for another name. */
export function RenameDialog({ name, taken, onAnswer, onDismiss }: PromptProps<'rename-shared'>) {
  const [typed, setTyped] = useState(name)
  const [tried, setTried] = useState(false)
  const wanted = typed.trim()
  const problem = nameProblem(wanted, taken)
  const shown = problem !== 'empty' || tried ? problem : null
  const submit = () => {
    setTried(true)
    if (problem === null) onAnswer(wanted)
  }
  return (
    <Dialog
      title={t('drop.rename.title', { name: displayName(name) })}
      size="small"
      onDismiss={onDismiss}
      onSubmit={submit}
      actions={
        <>
          <Button variant="quiet" onClick={onDismiss}>
            {t('action.cancel')}
          </Button>
          <Button variant="primary" type="submit">
            {t('visit.rename')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('drop.rename.label')}
        value={typed}
        onValue={setTyped}
        error={shown === null ? null : t(`files.name.${shown}`, { name: displayName(wanted) })}
        autoFocus
        data-autofocus=""
        autoComplete="off"
      />
    </Dialog>
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type FilePath, joinPath } from '../../../../shared/file-path.ts'
import { makeFolder } from '../../../data/files.ts'
import { withGesture } from '../../../data/undo.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import styles from './folder-picker.module.css'
import { nameProblem } from '../../../widgets/names.ts'

export interface NewFolderLineProps {
  /** Parent folder. */
  folder: FilePath
  taken: (name: string) => boolean
  onMade: (path: FilePath) => void
  onDismiss: () => void
}

/** Inline form for a new folder: Enter creates it, Escape closes the form but not the dialog. */
export function NewFolderLine({ folder, taken, onMade, onDismiss }: NewFolderLineProps) {
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const [sent, setSent] = useState(false)
  const make = useMutation({
    mutationFn: (path: FilePath) => withGesture(({ group }) => makeFolder(queries, path, group)),
    meta: { shows: 'all' },
    onSuccess: (_, path) => onMade(path),
  })
  const name = typed.trim()
  const problem = nameProblem(typed, taken)
  const said =
    problem !== null && (problem !== 'empty' || sent)
      ? t(`files.name.${problem}`, { name: displayName(name) })
      : make.error && errorText(make.error)

  const submit = () => {
    setSent(true)
    if (problem === null && !make.isPending) make.mutate(joinPath(folder, name))
  }
  return (
    <div className={styles.naming}>
      <TextField
        label={t('files.new-folder.label')}
        verbatim
        value={typed}
        onValue={(value) => {
          setTyped(value)
          make.reset()
        }}
        error={said}
        autoComplete="off"
        autoFocus
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return
          // The surrounding form and dialog handle Enter and Escape too.
          event.preventDefault()
          event.stopPropagation()
          if (event.key === 'Enter') submit()
          else onDismiss()
        }}
      />
      <div className="flex gap-4 justify-end">
        <Button label={t('files.picker.no-new-folder')} variant="quiet" onClick={onDismiss} />
        <Button label={t('files.create')} onClick={submit} />
      </div>
    </div>
  )
}

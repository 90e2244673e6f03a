import { useState } from 'react'
import { ARCHIVE_FORMATS, type ArchiveFormat } from '../../../../shared/archive-format.ts'
import { nameOf, ROOT } from '../../../../shared/file-path.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { nameProblem } from '../../../widgets/names.ts'

/** What the archive is called, and of which kind it is; the ending follows the kind. */
export function CompressDialog({ paths, name, taken, onAnswer, onDismiss }: PromptProps<'compress'>) {
  const [typed, setTyped] = useState(name)
  const [format, setFormat] = useState<ArchiveFormat>('zip')
  const [sent, setSent] = useState(false)
  const whole = `${typed.trim()}.${format}`
  const problem = typed.trim() === '' ? 'empty' : nameProblem(whole, taken)
  const shown = problem !== 'empty' || sent ? problem : null
  const submit = () => {
    setSent(true)
    if (problem === null) onAnswer({ name: whole, format })
  }
  return (
    <Dialog
      title={t('files.compress.title', { count: paths.length, name: displayName(nameOf(paths[0] ?? ROOT)) })}
      size="small"
      onDismiss={onDismiss}
      onSubmit={submit}
      actions={
        <>
          <Button variant="quiet" onClick={onDismiss}>
            {t('action.cancel')}
          </Button>
          <Button variant="primary" type="submit">
            {t('files.compress.submit')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('files.compress.label')}
        value={typed}
        onValue={setTyped}
        error={shown === null ? null : t(`files.name.${shown}`, { name: displayName(whole) })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
      />
      <Select
        label={t('files.compress.format')}
        value={format}
        options={ARCHIVE_FORMATS.map((one) => ({ value: one, label: one }))}
        onValue={setFormat}
      />
    </Dialog>
  )
}

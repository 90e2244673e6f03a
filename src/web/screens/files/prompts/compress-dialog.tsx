import { useState } from 'react'
import { ARCHIVE_FORMATS, type ArchiveFormat } from '../../../../shared/archive-format.ts'
import { nameOf, ROOT } from '../../../../shared/file-path.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Select } from '../../../ui/select.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { NameDialog } from '../../../widgets/name-dialog.tsx'
import { withEnding } from '../../../widgets/names.ts'

/** Name and format of a new archive; the extension follows the format. */
export function CompressDialog({ paths, name, taken, onAnswer, onDismiss }: PromptProps<'compress'>) {
  const [format, setFormat] = useState<ArchiveFormat>('zip')
  return (
    <NameDialog
      title={t('files.compress.title', { count: paths.length, name: displayName(nameOf(paths[0] ?? ROOT)) })}
      label={t('files.compress.label')}
      submit={t('files.compress.submit')}
      initial={name}
      chosen={name.length}
      whole={(typed) => withEnding(typed, format)}
      hint={(whole) => t('files.compress.hint', { name: displayName(whole) })}
      taken={taken}
      onName={(whole) => onAnswer({ name: whole, format })}
      onDismiss={onDismiss}
    >
      <Select
        label={t('files.compress.format')}
        value={format}
        options={ARCHIVE_FORMATS.map((one) => ({ value: one, label: one }))}
        onValue={setFormat}
      />
    </NameDialog>
  )
}

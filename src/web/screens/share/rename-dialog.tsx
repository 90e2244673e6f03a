import type { PromptProps } from '../../data/prompts.ts'
import { t } from '../../i18n/i18n.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { NameDialog } from '../../widgets/name-dialog.tsx'
import { stemLength } from '../../widgets/names.ts'

/** Asks a visitor for a new name. */
export function RenameDialog({ name, isDir, taken, onAnswer, onDismiss }: PromptProps<'rename-shared'>) {
  return (
    <NameDialog
      title={t('drop.rename.title', { name: displayName(name) })}
      label={t('drop.rename.label')}
      submit={t('visit.rename')}
      initial={name}
      chosen={stemLength(name, { isDir })}
      mustChange
      taken={taken}
      onName={onAnswer}
      onDismiss={onDismiss}
    />
  )
}

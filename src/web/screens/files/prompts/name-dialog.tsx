import type { PromptProps } from '../../../data/prompts.ts'
import { t } from '../../../i18n/i18n.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { NameDialog } from '../../../widgets/name-dialog.tsx'
import { stemLength } from '../../../widgets/names.ts'

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
  return <NameDialog {...texts} initial={name} chosen={chosen} mustChange taken={taken} onName={onAnswer} onDismiss={onDismiss} />
}

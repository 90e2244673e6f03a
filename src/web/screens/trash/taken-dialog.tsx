import type { PromptProps } from '../../data/prompts.ts'
import { useUser } from '../../data/session.ts'
import { ConflictDialog } from '../../widgets/conflict-dialog.tsx'
import type { TakenName } from './taken-name.ts'

/** Asks what to do with each restored entry whose name is taken. Folders are not merged, so they keep what is there. */
export function TakenDialog({ conflicts, onAnswer, onDismiss }: PromptProps<'trash-conflict'>) {
  const { perm } = useUser()
  const asConflict = ({ entry, existing }: TakenName) => ({
    key: entry.id,
    name: entry.name,
    existing,
    incoming: null,
    keepsExisting: entry.isDir || existing.isFolder,
  })
  return (
    <ConflictDialog
      conflicts={conflicts.map(asConflict)}
      mayReplace={perm.admin || perm.modify}
      onAnswer={onAnswer}
      onDismiss={onDismiss}
    />
  )
}

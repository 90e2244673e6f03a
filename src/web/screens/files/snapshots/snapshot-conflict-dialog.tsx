import type { PromptProps } from '../../../data/prompts.ts'
import { useUser } from '../../../data/session.ts'
import { ConflictDialog } from '../../../widgets/conflict-dialog.tsx'
import { may } from '../action-rules.ts'

export function SnapshotConflictDialog({ conflict, onAnswer, onDismiss }: PromptProps<'snapshot-conflict'>) {
  const { perm } = useUser()
  return (
    <ConflictDialog
      conflicts={[conflict]}
      mayReplace={may(perm, 'modify')}
      onAnswer={(answers) => onAnswer(answers.get(conflict.key) ?? 'skip')}
      onDismiss={onDismiss}
    />
  )
}

import type { TransferConflict } from '../../../data/transfer-conflicts.ts'
import type { ListedEntry } from '../../../data/listing.ts'
import { thumbnailAddress } from '../../../data/pictures.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { useUser } from '../../../data/session.ts'
import { ConflictDialog } from '../../../widgets/conflict-dialog.tsx'
import type { Version } from '../../../widgets/conflict-resolution.ts'
import { may } from '../action-rules.ts'

/** Asks what to do with each entry whose name is taken in the destination. */
export function TransferConflictDialog({ conflicts, onAnswer, onDismiss }: PromptProps<'transfer-conflict'>) {
  const { perm } = useUser()
  const asVersion = (entry: ListedEntry): Version => ({
    isFolder: entry.isDir,
    size: entry.size,
    modified: entry.modified,
    picture: may(perm, 'download') ? thumbnailAddress(entry) : null,
  })
  const asConflict = ({ from, name, existing, incoming }: TransferConflict) => ({
    key: from,
    name,
    existing: asVersion(existing),
    incoming: incoming && asVersion(incoming),
  })
  return <ConflictDialog conflicts={conflicts.map(asConflict)} mayReplace={may(perm, 'modify')} onAnswer={onAnswer} onDismiss={onDismiss} />
}

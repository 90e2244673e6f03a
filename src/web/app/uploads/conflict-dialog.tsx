import { nameOf } from '../../../shared/file-path.ts'
import { fileType } from '../../../shared/file-type.ts'
import { thumbnailAddress } from '../../data/pictures.ts'
import type { PromptProps } from '../../data/prompts.ts'
import { useUser } from '../../data/session.ts'
import type { Conflict } from '../../data/uploads/conflicts.ts'
import { ConflictDialog } from '../../widgets/conflict-dialog.tsx'

/** Asks what to do with each uploaded file whose name is taken. */
export function UploadConflictDialog({ conflicts, onAnswer, onDismiss }: PromptProps<'upload-conflict'>) {
  const { perm } = useUser()
  const asConflict = ({ path, file, existing }: Conflict) => ({
    key: path,
    name: nameOf(path),
    existing: {
      ...existing,
      picture: perm.admin || perm.download ? thumbnailAddress({ ...existing, path, isDir: existing.isFolder, type: typeOf(path) }) : null,
    },
    incoming: {
      isFolder: false,
      size: file.size,
      modified: file.lastModified,
      picture: file.type.startsWith('image/') ? file : null,
    },
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

function typeOf(path: Conflict['path']) {
  return fileType(nameOf(path)) ?? 'blob'
}

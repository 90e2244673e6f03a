import { FolderInput, FolderOpen, RotateCcw, Trash2 } from 'lucide-react'
import type { Trashed } from '../../data/trash.ts'
import { keyNames } from '../../i18n/keys.ts'
import { t } from '../../i18n/i18n.tsx'
import type { MenuEntry } from '../../ui/menu-entry.ts'
import type { TrashActions } from './use-trash-actions.ts'

/** Menu of the selected entries; destructive actions come last. */
export function trashMenu(entries: readonly Trashed[], actions: TrashActions): MenuEntry[] {
  const [first] = entries
  const one = entries.length === 1 ? first : undefined
  const shown: (MenuEntry | false)[] = [
    actions.mayRestore && {
      kind: 'action',
      id: 'restore',
      label: t('trash.restore'),
      icon: RotateCcw,
      onSelect: () => actions.restore(entries),
    },
    actions.mayRestore && {
      kind: 'action',
      id: 'restore-to',
      label: t('trash.restore-to'),
      icon: FolderInput,
      onSelect: () => actions.restoreTo(entries),
    },
    one !== undefined && {
      kind: 'action',
      id: 'folder',
      label: t('trash.show-folder'),
      icon: FolderOpen,
      onSelect: () => actions.showFolder(one),
    },
    actions.mayRemove(entries) && {
      kind: 'action',
      id: 'remove',
      label: t('files.action.delete-permanently'),
      icon: Trash2,
      shortcut: keyNames(['Delete'])[0],
      danger: true,
      onSelect: () => actions.remove(entries),
    },
  ]
  return shown.filter((entry) => entry !== false)
}

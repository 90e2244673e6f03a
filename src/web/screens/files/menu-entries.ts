import { t } from '../../i18n/i18n.tsx'
import type { MenuEntry } from '../../ui/menu-entry.ts'
import { type Action, ACTIONS } from './actions.ts'
import type { ActionName } from './action-rules.ts'
import { shortcutText } from './shortcuts.ts'

export interface ActionProps {
  readonly available: (action: ActionName) => boolean
  readonly onAction: (action: ActionName) => void
  /** What an action would do now, if that is more than its name. */
  readonly textOf?: (action: ActionName) => string | undefined
}

/** Menu entries of the available actions, with separators between groups. */
export function menuEntries(groups: readonly (readonly ActionName[])[], { available, onAction, textOf }: ActionProps): MenuEntry[] {
  return groups
    .map((group) => group.filter(available))
    .filter((group) => group.length > 0)
    .flatMap((group, at): MenuEntry[] => [
      ...(at > 0 ? [{ kind: 'separator', id: `above ${group[0]}` } as const] : []),
      ...group.map((action): MenuEntry => {
        const { text, icon, danger }: Action = ACTIONS[action]
        return {
          kind: 'action',
          id: action,
          label: textOf?.(action) ?? t(text),
          icon,
          shortcut: shortcutText(action),
          danger,
          onSelect: () => onAction(action),
        }
      }),
    ])
}

/** Context menu of an entry or a selection; destructive actions come last. */
export const ENTRY_MENU: readonly (readonly ActionName[])[] = [
  ['open', 'download', 'share', 'star', 'unstar'],
  ['rename', 'cut', 'copy-held', 'paste', 'copy', 'move'],
  ['extract-here', 'extract-to', 'compress'],
  ['info', 'activity', 'versions', 'usage', 'snapshots', 'trash-here', 'rewind', 'access', 'delete'],
]

export const FOLDER_MENU: readonly (readonly ActionName[])[] = [
  ['new-folder', 'new-file', 'upload-files', 'upload-folder'],
  ['paste', 'select-all', 'filter'],
  ['undo', 'redo'],
  ['download', 'star', 'unstar', 'info', 'activity', 'usage', 'snapshots', 'trash-here', 'rewind', 'access'],
]

import type { Permissions } from '../../../shared/contract/users.ts'
import type { NodePermissions } from '../../data/node-permissions.ts'

export interface ActionRule {
  /** Required permission; the server checks it in any case. */
  readonly right: keyof Permissions | null
  /** A second required permission. */
  readonly also?: keyof Permissions
  /**
   * What the action applies to. `held`: the clipboard. `archive`: one archive that can be opened. `file`: one file. `folder`: one folder, or the current one
   * without a selection. `single`: one entry, or the current folder. `starred`, `unstarred`: all selected entries, or the current folder, are or are not favourites.
   */
  readonly about: 'nothing' | 'one' | 'some' | 'held' | 'archive' | 'file' | 'folder' | 'single' | 'starred' | 'unstarred'
  /** Needs readable entries: unavailable for broken links. */
  readonly reads?: true
}

/** Required permissions and selection of each action; `test/contract/offered-actions.test.ts` checks it against the server. */
export const ACTION_RULES = {
  open: { right: null, about: 'one' },
  download: { right: 'download', about: 'nothing', reads: true },
  share: { right: 'share', about: 'one', reads: true },
  star: { right: null, about: 'unstarred' },
  unstar: { right: null, about: 'starred' },
  rename: { right: 'rename', about: 'one' },
  cut: { right: 'rename', about: 'some' },
  'copy-held': { right: 'create', about: 'some', reads: true },
  paste: { right: null, about: 'held' },
  copy: { right: 'create', about: 'some', reads: true },
  move: { right: 'rename', about: 'some' },
  'extract-here': { right: 'create', also: 'download', about: 'archive', reads: true },
  'extract-to': { right: 'create', also: 'download', about: 'archive', reads: true },
  compress: { right: 'create', also: 'download', about: 'some', reads: true },
  delete: { right: 'delete', about: 'some' },
  'delete-permanently': { right: 'delete', about: 'some' },
  undo: { right: null, about: 'nothing' },
  redo: { right: null, about: 'nothing' },
  'trash-here': { right: 'create', about: 'folder' },
  usage: { right: null, about: 'folder' },
  versions: { right: 'download', about: 'file', reads: true },
  snapshots: { right: 'download', about: 'folder' },
  info: { right: null, about: 'nothing' },
  activity: { right: null, about: 'single' },
  rewind: { right: null, about: 'folder' },
  access: { right: 'admin', about: 'single' },
  'upload-files': { right: 'create', about: 'nothing' },
  'upload-folder': { right: 'create', about: 'nothing' },
  'new-folder': { right: 'create', about: 'nothing' },
  'new-file': { right: 'create', about: 'nothing' },
  'select-all': { right: null, about: 'nothing' },
  'select-multiple': { right: null, about: 'nothing' },
  filter: { right: null, about: 'nothing' },
  clear: { right: null, about: 'nothing' },
  parent: { right: null, about: 'nothing' },
} as const satisfies Record<string, ActionRule>

export type ActionName = keyof typeof ACTION_RULES

export interface ActionContext {
  readonly perm: Permissions
  readonly selected: number
  /** Whether the only selected entry is an archive. */
  readonly archive: boolean
  /** Whether the only selected entry is a folder. */
  readonly folder: boolean
  /** Whether all selected entries are broken links. */
  readonly broken: boolean
  /** Whether all selected entries, or the current folder, are favourites; null if they cannot be. */
  readonly starred: boolean | null
  /** What a paste would do. */
  readonly held: 'copy' | 'move' | null
  /** Within a share with people. */
  readonly isShared?: boolean
}

/** Administrators have all permissions, unless the server told otherwise. */
export function may(perm: NodePermissions, right: keyof Permissions): boolean {
  return perm[right] || (perm.admin && !perm.told)
}

/** Whether the user may make any of the changes by which a folder is brought back to an earlier moment. */
export function mayRewind(perm: Permissions): boolean {
  return (['create', 'modify', 'rename', 'delete'] as const).some((right) => may(perm, right))
}

export function isAvailable(
  name: ActionName,
  { perm, selected, archive, folder, broken, starred, held, isShared = false }: ActionContext,
): boolean {
  const { right, also, about, reads }: ActionRule = ACTION_RULES[name]
  if (name === 'rewind' && !mayRewind(perm)) return false
  if (reads === true && selected > 0 && broken) return false
  // Of what others share, only editors see earlier versions.
  if (name === 'versions' && isShared && !may(perm, 'modify')) return false
  if (![right, also ?? right].every((one) => one === null || may(perm, one))) return false
  if (about === 'archive') return selected === 1 && archive
  if (about === 'file') return selected === 1 && !folder
  if (about === 'folder') return selected === 0 || (selected === 1 && folder)
  if (about === 'single') return selected <= 1
  if (about === 'starred') return starred === true
  if (about === 'unstarred') return starred === false
  if (about === 'one') return selected === 1
  if (about === 'some') return selected > 0
  if (about === 'held') return held !== null && may(perm, held === 'copy' ? 'create' : 'rename')
  return true
}

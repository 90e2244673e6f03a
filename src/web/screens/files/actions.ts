import {
  Archive,
  ArchiveRestore,
  ArrowUp,
  ChartPie,
  CheckCheck,
  ClipboardPaste,
  Copy,
  CopyPlus,
  Download,
  Eye,
  FilePlus,
  FolderInput,
  FolderPlus,
  FolderUp,
  Info,
  ListChecks,
  ListFilter,
  type LucideIcon,
  PencilLine,
  Scissors,
  Share2,
  Star,
  Trash2,
  Upload,
  X,
} from 'lucide-react'
import type { Permissions } from '../../../shared/contract/users.ts'
import type { MessageKey } from '../../i18n/i18n.tsx'

export interface Action {
  readonly text: MessageKey
  readonly icon: LucideIcon
  /** Without it the action is not offered (spec §6); the server decides all the same. */
  readonly right: keyof Permissions | null
  /** A second one. */
  readonly also?: keyof Permissions
  /**
   * How many entries it is about. `held`: what the clipboard holds. `archive`: one that can be opened. `folder`: one, or none for the one on show.
   * `starred` and `unstarred`: what all is so, or the folder on show.
   */
  readonly about: 'nothing' | 'one' | 'some' | 'held' | 'archive' | 'folder' | 'starred' | 'unstarred'
  readonly danger?: boolean
}

/** Everything one can do in a folder; buttons, dock, menus and keys all read this. */
export const ACTIONS = {
  open: { text: 'files.action.open', icon: Eye, right: null, about: 'one' },
  download: { text: 'files.action.download', icon: Download, right: 'download', about: 'nothing' },
  share: { text: 'files.action.share', icon: Share2, right: 'share', about: 'one' },
  star: { text: 'files.action.star', icon: Star, right: null, about: 'unstarred' },
  unstar: { text: 'files.action.unstar', icon: Star, right: null, about: 'starred' },
  rename: { text: 'files.action.rename', icon: PencilLine, right: 'rename', about: 'one' },
  cut: { text: 'files.action.cut', icon: Scissors, right: 'rename', about: 'some' },
  'copy-held': { text: 'files.action.copy-held', icon: Copy, right: 'create', about: 'some' },
  paste: { text: 'files.action.paste', icon: ClipboardPaste, right: null, about: 'held' },
  copy: { text: 'files.action.copy', icon: CopyPlus, right: 'create', about: 'some' },
  move: { text: 'files.action.move', icon: FolderInput, right: 'rename', about: 'some' },
  'extract-here': { text: 'files.action.extract-here', icon: ArchiveRestore, right: 'create', also: 'download', about: 'archive' },
  'extract-to': { text: 'files.action.extract-to', icon: ArchiveRestore, right: 'create', also: 'download', about: 'archive' },
  compress: { text: 'files.action.compress', icon: Archive, right: 'create', also: 'download', about: 'some' },
  delete: { text: 'files.action.delete', icon: Trash2, right: 'delete', about: 'some', danger: true },
  usage: { text: 'files.action.usage', icon: ChartPie, right: null, about: 'folder' },
  info: { text: 'files.action.info', icon: Info, right: null, about: 'nothing' },
  'upload-files': { text: 'files.action.upload-files', icon: Upload, right: 'create', about: 'nothing' },
  'upload-folder': { text: 'files.action.upload-folder', icon: FolderUp, right: 'create', about: 'nothing' },
  'new-folder': { text: 'files.action.new-folder', icon: FolderPlus, right: 'create', about: 'nothing' },
  'new-file': { text: 'files.action.new-file', icon: FilePlus, right: 'create', about: 'nothing' },
  'select-all': { text: 'files.action.select-all', icon: CheckCheck, right: null, about: 'nothing' },
  'select-multiple': { text: 'files.action.select-multiple', icon: ListChecks, right: null, about: 'nothing' },
  filter: { text: 'files.action.filter', icon: ListFilter, right: null, about: 'nothing' },
  clear: { text: 'files.action.clear', icon: X, right: null, about: 'nothing' },
  parent: { text: 'files.action.parent', icon: ArrowUp, right: null, about: 'nothing' },
} as const satisfies Record<string, Action>

export type ActionName = keyof typeof ACTIONS

export interface Situation {
  readonly perm: Permissions
  readonly selected: number
  /** Whether the one that is selected is an archive. */
  readonly archive: boolean
  /** Whether the one that is selected is a folder. */
  readonly folder: boolean
  /** Whether everything selected, or else the folder on show, is a favourite; null where that can be none. */
  readonly starred: boolean | null
  /** What a paste would do here. */
  readonly held: 'copy' | 'move' | null
}

/** Administrators may everything. */
export function may(perm: Permissions, right: keyof Permissions): boolean {
  return perm.admin || perm[right]
}

export function isOffered(name: ActionName, { perm, selected, archive, folder, starred, held }: Situation): boolean {
  const { right, also, about }: Action = ACTIONS[name]
  if (![right, also ?? right].every((one) => one === null || may(perm, one))) return false
  if (about === 'archive') return selected === 1 && archive
  if (about === 'folder') return selected === 0 || (selected === 1 && folder)
  if (about === 'starred') return starred === true
  if (about === 'unstarred') return starred === false
  if (about === 'one') return selected === 1
  if (about === 'some') return selected > 0
  if (about === 'held') return held !== null && may(perm, held === 'copy' ? 'create' : 'rename')
  return true
}

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
  History,
  Info,
  Layers,
  ListChecks,
  ListFilter,
  type LucideIcon,
  PencilLine,
  Scissors,
  Share2,
  Star,
  Trash2,
  Upload,
  Undo2,
  X,
} from 'lucide-react'
import type { MessageKey } from '../../i18n/i18n.tsx'
import type { ActionName } from './action-rules.ts'

export interface Action {
  readonly text: MessageKey
  readonly icon: LucideIcon
  readonly danger?: boolean
}

/** All file actions; toolbars, menus and shortcuts are built from this table. */
export const ACTIONS = {
  open: { text: 'files.action.open', icon: Eye },
  download: { text: 'files.action.download', icon: Download },
  share: { text: 'files.action.share', icon: Share2 },
  star: { text: 'files.action.star', icon: Star },
  unstar: { text: 'files.action.unstar', icon: Star },
  rename: { text: 'files.action.rename', icon: PencilLine },
  cut: { text: 'files.action.cut', icon: Scissors },
  'copy-held': { text: 'files.action.copy-held', icon: Copy },
  paste: { text: 'files.action.paste', icon: ClipboardPaste },
  copy: { text: 'files.action.copy', icon: CopyPlus },
  move: { text: 'files.action.move', icon: FolderInput },
  'extract-here': { text: 'files.action.extract-here', icon: ArchiveRestore },
  'extract-to': { text: 'files.action.extract-to', icon: ArchiveRestore },
  compress: { text: 'files.action.compress', icon: Archive },
  delete: { text: 'files.action.delete', icon: Trash2, danger: true },
  'delete-permanently': { text: 'files.action.delete-permanently', icon: Trash2, danger: true },
  undo: { text: 'action.undo', icon: Undo2 },
  'trash-here': { text: 'files.action.trash-here', icon: Trash2 },
  usage: { text: 'files.action.usage', icon: ChartPie },
  versions: { text: 'files.action.versions', icon: History },
  snapshots: { text: 'files.action.snapshots', icon: Layers },
  info: { text: 'files.action.info', icon: Info },
  'upload-files': { text: 'files.action.upload-files', icon: Upload },
  'upload-folder': { text: 'files.action.upload-folder', icon: FolderUp },
  'new-folder': { text: 'files.action.new-folder', icon: FolderPlus },
  'new-file': { text: 'files.action.new-file', icon: FilePlus },
  'select-all': { text: 'files.action.select-all', icon: CheckCheck },
  'select-multiple': { text: 'files.action.select-multiple', icon: ListChecks },
  filter: { text: 'files.action.filter', icon: ListFilter },
  clear: { text: 'files.action.clear', icon: X },
  parent: { text: 'files.action.parent', icon: ArrowUp },
} as const satisfies Record<ActionName, Action>

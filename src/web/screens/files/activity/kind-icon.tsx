import { Copy, FilePlus, FolderInput, Layers, PencilLine, SquarePen, Trash2, ArchiveRestore, type LucideIcon } from 'lucide-react'
import type { GestureKind } from './gesture-words.ts'

const ICONS: Readonly<Record<GestureKind, LucideIcon>> = {
  create: FilePlus,
  copy: Copy,
  replace: SquarePen,
  move: FolderInput,
  rename: PencilLine,
  delete: Trash2,
  restore: ArchiveRestore,
  several: Layers,
}

/** Decorative: the title is beside it. */
export function KindIcon({ kind }: { kind: GestureKind }) {
  const Icon = ICONS[kind]
  return <Icon size={16} strokeWidth={1.75} aria-hidden />
}

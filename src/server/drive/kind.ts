import type { NodeKind } from '../storage/storage.ts'

/** What the type bits of a POSIX st_mode say. */
export function kindOf(mode: number): NodeKind {
  const type = mode & 0o170000
  if (type === 0o100000) return 'file'
  if (type === 0o040000) return 'folder'
  return type === 0o120000 ? 'link' : 'special'
}

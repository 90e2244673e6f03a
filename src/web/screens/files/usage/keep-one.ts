import type { DuplicateGroup, UsageItem } from '../../../data/usage.ts'

/** Which file of a group of duplicates to keep. */
export const KEEP = ['oldest', 'newest', 'shortest'] as const
export type Keep = (typeof KEEP)[number]

/** The file to keep; ties are resolved by path, so that the result is stable. */
export function keptOf(files: readonly UsageItem[], keep: Keep): UsageItem | null {
  const rank: Record<Keep, (file: UsageItem) => number> = {
    oldest: ({ modified = 0 }) => modified,
    newest: ({ modified = 0 }) => -modified,
    shortest: ({ path }) => path.length,
  }
  const ranked = files.toSorted((a, b) => rank[keep](a) - rank[keep](b) || (a.path < b.path ? -1 : 1))
  return ranked[0] ?? null
}

/** The files to delete, and the bytes freed. */
export function spareOf(groups: readonly DuplicateGroup[], keep: Keep): { readonly parts: readonly UsageItem[]; readonly bytes: number } {
  const parts = groups.flatMap(({ files }) => {
    const kept = keptOf(files, keep)
    return files.filter((file) => file !== kept)
  })
  return { parts, bytes: parts.reduce((sum, part) => sum + part.bytes, 0) }
}

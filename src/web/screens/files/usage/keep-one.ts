import type { DuplicateGroup, UsageItem } from '../../../data/usage.ts'

/** Which of several files of the same content stays. */
export const KEEP = ['oldest', 'newest', 'shortest'] as const
export type Keep = (typeof KEEP)[number]

/** The one that stays; among equals the first by its path, so that a second look says the same. */
export function keptOf(files: readonly UsageItem[], keep: Keep): UsageItem | null {
  const rank: Record<Keep, (file: UsageItem) => number> = {
    oldest: ({ modified = 0 }) => modified,
    newest: ({ modified = 0 }) => -modified,
    shortest: ({ path }) => path.length,
  }
  const ranked = files.toSorted((a, b) => rank[keep](a) - rank[keep](b) || (a.path < b.path ? -1 : 1))
  return ranked[0] ?? null
}

/** What goes when one of each group stays, and how many bytes that frees. */
export function spareOf(groups: readonly DuplicateGroup[], keep: Keep): { readonly parts: readonly UsageItem[]; readonly bytes: number } {
  const parts = groups.flatMap(({ files }) => {
    const kept = keptOf(files, keep)
    return files.filter((file) => file !== kept)
  })
  return { parts, bytes: parts.reduce((sum, part) => sum + part.bytes, 0) }
}

import type { FileType } from '../../../../shared/contract/resources.ts'

/** Where a file stands among the media of its folder. */
export interface Neighbours {
  readonly previous: string | null
  readonly next: string | null
  /** From 1; 0 when the file itself is no media. */
  readonly at: number
  readonly count: number
}

const MEDIA: readonly FileType[] = ['image', 'video', 'audio', 'pdf']

export function isMedia(type: FileType): boolean {
  return MEDIA.includes(type)
}

/**
 * The media before and after a file, in the order of the listing; what is no media is skipped (specification §2).
 * @param files the folder's files in the order on show
 */
export function neighboursOf(files: readonly { name: string; type: FileType }[], current: string): Neighbours {
  const here = files.findIndex(({ name }) => name === current)
  const media = files.filter(({ type }) => isMedia(type))
  const previous = files.slice(0, Math.max(0, here)).findLast(({ type }) => isMedia(type))
  const next = here < 0 ? undefined : files.slice(here + 1).find(({ type }) => isMedia(type))
  return {
    previous: previous?.name ?? null,
    next: next?.name ?? null,
    at: media.findIndex(({ name }) => name === current) + 1,
    count: media.length,
  }
}

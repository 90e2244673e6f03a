import { fail } from './errors.ts'

/** Download formats, then the two of newer clients; in the order of the menu. */
export const ARCHIVE_FORMATS = ['zip', 'tar', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.lz4', 'tar.sz', 'tar.zst', 'tar.br'] as const

export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number]

/** Why one entry of an archive is left out while others are extracted. */
export const LEFT_OUT = ['unsafe-name', 'long-name', 'link', 'special', 'not-allowed', 'no-place', 'unreadable'] as const
export type LeftOut = (typeof LEFT_OUT)[number]

/** Names of files that can be opened as archives; the content decides the real type. */
const READABLE = /\.(zip|jar|cbz|7z|cb7|rar|cbr|tar|tgz|tbz2?|txz|tlz4|tzst|(tar\.)?(gz|bz2|xz|lz4|sz|zst|br))$/i

export function isArchiveName(name: string): boolean {
  return READABLE.test(name)
}

/** `photos` for `photos.tar.gz`: the name of a folder with its content. */
export function archiveBase(name: string): string {
  return name.replace(READABLE, '').replace(/\.tar$/i, '') || name
}

/** Formats whose length is known in advance and whose bytes are the same every time, so that a download can be resumed. */
export type LaidOutFormat = 'zip' | 'tar'

export function isLaidOut(format: ArchiveFormat): format is LaidOutFormat {
  return format === 'zip' || format === 'tar'
}

/** `tar.gz` and `targz` are the same; missing, empty or `true` means zip. Fails with `invalid-input`. */
export function parseArchiveFormat(algo: string | undefined): ArchiveFormat {
  if (algo === undefined || algo === '' || algo === 'true') return 'zip'
  const format = ARCHIVE_FORMATS.find((one) => one === algo || one.replace('.', '') === algo)
  return format ?? fail('invalid-input', { issues: ['algo: not a download format'] })
}

import { fail } from './errors.ts'

/** Download formats (specification §3), then the two of newer clients; in the order in which they are offered. */
export const ARCHIVE_FORMATS = ['zip', 'tar', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.lz4', 'tar.sz', 'tar.zst', 'tar.br'] as const

export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number]

/** Formats whose length is known beforehand and whose bytes are the same every time: a broken download goes on where it stopped. */
export type LaidOutFormat = 'zip' | 'tar'

export function isLaidOut(format: ArchiveFormat): format is LaidOutFormat {
  return format === 'zip' || format === 'tar'
}

/** `tar.gz` and `targz` are one; missing, empty or `true` is zip (decision 14). Fails with `invalid-input`. */
export function parseArchiveFormat(algo: string | undefined): ArchiveFormat {
  if (algo === undefined || algo === '' || algo === 'true') return 'zip'
  const format = ARCHIVE_FORMATS.find((one) => one === algo || one.replace('.', '') === algo)
  return format ?? fail('invalid-input', { issues: ['algo: not a download format'] })
}

import type { FileType } from '../../shared/contract/resources.ts'

/** File kinds for icons, finer than the API's types. */
export type FileKind =
  | 'folder'
  | 'image'
  | 'video'
  | 'audio'
  | 'pdf'
  | 'document'
  | 'sheet'
  | 'slides'
  | 'code'
  | 'archive'
  | 'other'
  | 'broken'

const BY_EXTENSION: ReadonlyMap<string, FileKind> = new Map(
  (
    [
      ['document', 'doc docx docm dot odt rtf txt text md markdown mdx rst tex pages epub mobi azw3 log org adoc nfo'],
      ['sheet', 'xls xlsx xlsm xlsb ods csv tsv numbers parquet'],
      ['slides', 'ppt pptx pptm pps ppsx odp key'],
      ['archive', 'zip tar gz tgz bz2 tbz xz txz zst lz4 lzma br 7z rar cab arj lha iso img dmg jar war deb rpm apk'],
    ] as const
  ).flatMap(([kind, names]) => names.split(' ').map((name): [string, FileKind] => [name, kind])),
)

export function fileKind({ name, type, isDir }: { name: string; type: FileType; isDir: boolean }): FileKind {
  if (isDir) return 'folder'
  if (type === 'invalid_link') return 'broken'
  if (type === 'image' || type === 'video' || type === 'audio' || type === 'pdf') return type
  return BY_EXTENSION.get(extensionLetters(name).toLowerCase()) ?? (type === 'text' || type === 'textImmutable' ? 'code' : 'other')
}

/** The extension without the dot; empty if there is none or it is not short and alphanumeric. */
export function extensionLetters(name: string): string {
  return /.\.([\p{L}\p{N}]{1,8})$/u.exec(name)?.[1] ?? ''
}

/** Label of the icon: two to four characters of the extension, so that unknown types look right too. */
export function labelOf(name: string): string {
  const letters = extensionLetters(name).toLocaleUpperCase('en')
  return letters.length <= 4 ? letters : letters.slice(0, 3)
}

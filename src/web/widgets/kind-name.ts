import type { FileType } from '../../shared/contract/resources.ts'
import { t } from '../i18n/i18n.tsx'
import { extensionLetters, fileKind } from './file-kind.ts'

/** Localised type: `Folder`, `Image (HEIC)`. */
export function kindName(entry: { name: string; type: FileType; isDir: boolean; isLink?: boolean }): string {
  const kind = t(`files.kind.${fileKind(entry)}`)
  if (entry.type === 'invalid_link') return kind
  const letters = entry.isDir ? '' : extensionLetters(entry.name).toUpperCase()
  const what = letters === '' ? kind : t('files.kind.with-extension', { kind, extension: letters })
  return entry.isLink === true ? t('files.kind.link-to', { kind: what }) : what
}

import { currentLanguage, t } from './i18n.tsx'

/** `3 folders, 14 files`; zero counts are left out, and nothing at all is `Empty`. */
export function formatCounts({ folders, files }: { folders: number; files: number }): string {
  const parts = [
    ...(folders > 0 ? [t('count.folders', { count: folders })] : []),
    ...(files > 0 ? [t('count.files', { count: files })] : []),
  ]
  if (parts.length === 0) return t('count.nothing')
  return new Intl.ListFormat(currentLanguage().tag, { type: 'unit', style: 'short' }).format(parts)
}

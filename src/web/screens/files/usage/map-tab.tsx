import { useQueryClient } from '@tanstack/react-query'
import type { FilePath } from '../../../../shared/file-path.ts'
import { type FolderUsage, type UsageItem, readFolderUsage } from '../../../data/usage.ts'
import { formatCounts } from '../../../i18n/counts.ts'
import { formatBytes, formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { UsageRow, UsageList } from './usage-row.tsx'
import { Treemap } from './treemap.tsx'
import styles from './usage-dialog.module.css'
import { Failed, Unknown } from './waiting.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import type { UsageActions } from './use-usage-actions.ts'
import { useUsage } from './use-usage.ts'

export interface MapTabProps {
  path: FilePath
  /** Whether the user came from another folder of the map, so that focus moves along. */
  walked: boolean
  actions: UsageActions
  onFolder: (path: FilePath) => void
  onUp: () => void
}

/** Maximum number of entries in the list. */
const LISTED = 100

export function MapTab({ path, walked, actions, onFolder, onUp }: MapTabProps) {
  const queries = useQueryClient()
  const { data, error, refetch } = useUsage<FolderUsage>('map', path, (asked) => readFolderUsage(queries, path, asked))
  if (data === undefined)
    return error === null ? <Loading height="240px" size={28} /> : <Failed error={error} onRetry={() => void refetch()} />
  if (data === null) return <Unknown path={path} />
  const { total, parts } = data
  const go = (part: UsageItem) => (part.isDir ? onFolder(part.path) : actions.reveal(part))
  return (
    <>
      <p className="flex wrap gap-4 muted baseline" role="status">
        <bdi className="text-color text-heading">{formatBytes(total.bytes)}</bdi>{' '}
        <span>{formatCounts({ folders: total.folders, files: total.files })}</span>
      </p>
      {parts.length === 0 ? (
        <p className={styles.note}>{t('usage.empty')}</p>
      ) : (
        <Treemap label={t('usage.map')} parts={parts} total={total.bytes} focused={walked} onPart={go} onUp={onUp} />
      )}
      <UsageList label={t('usage.parts')}>
        {parts.slice(0, LISTED).map((part) => (
          <UsageRow key={part.path} item={part} actions={actions} share={part.bytes / total.bytes} onFolder={() => onFolder(part.path)} />
        ))}
      </UsageList>
      {parts.length > LISTED && (
        <p className={styles.note}>{t('usage.others', { count: parts.length - LISTED, number: formatNumber(parts.length - LISTED) })}</p>
      )}
    </>
  )
}

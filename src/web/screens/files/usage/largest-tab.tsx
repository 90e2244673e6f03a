import type { FilePath } from '../../../../shared/file-path.ts'
import { type UsageResult, readLargest } from '../../../data/usage.ts'
import { t } from '../../../i18n/i18n.tsx'
import { UsageRow, UsageList } from './usage-row.tsx'
import type { UsageActions } from './use-usage-actions.ts'
import { useUsage } from './use-usage.ts'
import styles from './usage-dialog.module.css'
import { Failed, Unknown } from './waiting.tsx'
import { Loading } from '../../../widgets/loading.tsx'

/** The largest files in the subtree. */
export function LargestTab({ path, actions }: { path: FilePath; actions: UsageActions }) {
  const { data, error, refetch } = useUsage<UsageResult>('largest', path, (asked) => readLargest(path, asked))
  if (data === undefined)
    return error === null ? <Loading height="240px" size={28} /> : <Failed error={error} onRetry={() => void refetch()} />
  if (data === null) return <Unknown path={path} />
  if (data.parts.length === 0) return <p className={styles.note}>{t('usage.empty')}</p>
  return (
    <UsageList label={t('usage.largest')}>
      {data.parts.map((part) => (
        <UsageRow key={part.path} item={part} actions={actions} />
      ))}
    </UsageList>
  )
}

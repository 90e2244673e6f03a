import { useQuery } from '@tanstack/react-query'
import type { FilePath } from '../../../../shared/file-path.ts'
import { readLargest } from '../../../data/usage.ts'
import { t } from '../../../i18n/i18n.tsx'
import { PartLine, PartList } from './part-line.tsx'
import type { PartDeeds } from './use-part-deeds.ts'
import styles from './usage-dialog.module.css'
import { ASK_AGAIN_MS, Failed, Unknown, Waiting } from './waiting.tsx'

/** The largest files, however deep they lie. */
export function LargestTab({ path, deeds }: { path: FilePath; deeds: PartDeeds }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['usage', 'largest', path],
    queryFn: ({ signal }) => readLargest(path, signal),
    refetchInterval: (query) => (query.state.data === null ? ASK_AGAIN_MS : false),
  })
  if (data === undefined) return error === null ? <Waiting /> : <Failed error={error} onRetry={() => void refetch()} />
  if (data === null) return <Unknown />
  if (data.length === 0) return <p className={styles.note}>{t('usage.empty')}</p>
  return (
    <PartList label={t('usage.largest')}>
      {data.map((part) => (
        <PartLine key={part.path} part={part} deeds={deeds} />
      ))}
    </PartList>
  )
}

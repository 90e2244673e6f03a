import type { FilePath } from '../../../../shared/file-path.ts'
import { type UsageResult, readLargest } from '../../../data/usage.ts'
import { t } from '../../../i18n/i18n.tsx'
import { PartLine, PartList } from './part-line.tsx'
import type { PartDeeds } from './use-part-deeds.ts'
import { useUsage } from './use-usage.ts'
import styles from './usage-dialog.module.css'
import { Failed, Unknown, Waiting } from './waiting.tsx'

/** The largest files, however deep they lie. */
export function LargestTab({ path, deeds }: { path: FilePath; deeds: PartDeeds }) {
  const { data, error, refetch } = useUsage<UsageResult>('largest', path, (asked) => readLargest(path, asked))
  if (data === undefined) return error === null ? <Waiting /> : <Failed error={error} onRetry={() => void refetch()} />
  if (data === null) return <Unknown path={path} />
  if (data.parts.length === 0) return <p className={styles.note}>{t('usage.empty')}</p>
  return (
    <PartList label={t('usage.largest')}>
      {data.parts.map((part) => (
        <PartLine key={part.path} part={part} deeds={deeds} />
      ))}
    </PartList>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { FilePath } from '../../../../shared/file-path.ts'
import type { Totals } from '../../../data/folder-totals.ts'
import { countUsage } from '../../../data/usage-count.ts'
import { formatCounts } from '../../../i18n/counts.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { report } from '../report.ts'
import { usageKey } from './use-usage.ts'

export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert">
      <EmptyState title={errorText(error)}>
        <Button label={t('action.retry')} variant="primary" onClick={onRetry} />
      </EmptyState>
    </div>
  )
}

/** The index is not available: wait for it, or read the tree now. */
export function Unknown({ path }: { path: FilePath }) {
  const queries = useQueryClient()
  const [sum, setSum] = useState<Totals | null>(null)
  const counting = useRef<AbortController | null>(null)
  // Cancel on unmount.
  useEffect(() => () => counting.current?.abort(), [])

  async function count({ signal }: AbortController): Promise<void> {
    try {
      const { level, largest } = await countUsage(path, { signal, onSum: setSum })
      queries.setQueryData(usageKey('map', path), level)
      queries.setQueryData(usageKey('largest', path), largest)
    } catch (error) {
      if (signal.aborted) return
      setSum(null)
      report(error)
    }
  }
  const start = (): void => {
    setSum({ folders: 0, files: 0, bytes: 0 })
    void count((counting.current = new AbortController()))
  }
  const stop = (): void => {
    counting.current?.abort()
    setSum(null)
  }
  if (sum === null) {
    return (
      <EmptyState title={t('usage.unknown.title')} text={t('usage.unknown')}>
        <Button label={t('usage.count')} onClick={start} />
      </EmptyState>
    )
  }
  return (
    <EmptyState title={formatBytes(sum.bytes)} text={formatCounts({ folders: sum.folders, files: sum.files })}>
      <Button label={t('search.stop')} onClick={stop} icon={<Spinner size={16} />} />
    </EmptyState>
  )
}

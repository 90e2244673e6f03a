import { useQueryClient } from '@tanstack/react-query'
import { History, Rewind, RotateCw } from 'lucide-react'
import { useState } from 'react'
import type { FilePath } from '../../../../shared/file-path.ts'
import { useGestures } from '../../../data/gestures.ts'
import { usePermissions } from '../../../data/rights.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import { mayRewind } from '../action-rules.ts'
import { report } from '../report.ts'
import { type ActivityChoice, ActivityFilter } from './activity-filter.tsx'
import styles from './activity.module.css'
import { askRewind } from './kinds.ts'
import { More, Timeline } from './timeline.tsx'
import { undoPastGesture } from './undo-gesture.ts'
import { usePeople } from './use-people.ts'

/** What was done to a file, or to a folder and everything below it: who, what, when and how. */
export function Activity({ path, isDir, onGo }: { path: FilePath; isDir: boolean; onGo: (url: string) => void }) {
  const perm = usePermissions()
  const queries = useQueryClient()
  const [choice, setChoice] = useState<ActivityChoice>({ below: isDir, by: '', kind: '' })
  const found = useGestures({ path, ...choice })
  const people = usePeople(found.gestures)
  const canRewind = isDir && mayRewind(perm)
  const rewind = (to: string | null) => void askRewind(queries, path, to).catch(report)
  return (
    <div className={styles.activity} data-part="activity">
      {canRewind && (
        <div>
          <Button label={t('files.action.rewind')} icon={Rewind} onClick={() => rewind(null)} />
        </div>
      )}
      <ActivityFilter choice={choice} isDir={isDir} people={people} onChoice={setChoice} />
      {found.entries === undefined ? (
        <Waiting error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <>
          <p role="status" className="sr-only">
            {t('activity.count', { count: found.entries.length })}
          </p>
          {found.entries.length === 0 && !found.hasMore ? (
            <EmptyState
              picture={<History size={48} strokeWidth={1.25} />}
              title={t(choice.by === '' && choice.kind === '' ? 'activity.empty' : 'activity.none')}
            />
          ) : (
            <Timeline
              entries={found.entries}
              path={path}
              onGo={onGo}
              onUndo={({ group }) => undoPastGesture(group)}
              onRewind={canRewind && choice.below ? ({ at }) => rewind(at) : null}
            />
          )}
          {found.hasMore && <More pages={found.pages} loading={found.loading} failed={found.failed} onMore={found.loadMore} />}
        </>
      )}
    </div>
  )
}

function Waiting({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error === null) return <Loading height="160px" size={24} tone="faint" />
  return (
    <div role="alert">
      <EmptyState title={errorText(error)}>
        <Button icon={RotateCw} label={t('action.retry')} onClick={onRetry} />
      </EmptyState>
    </div>
  )
}

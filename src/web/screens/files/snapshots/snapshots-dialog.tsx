import { useQuery } from '@tanstack/react-query'
import { Layers, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { type FilePath, nameOf, ROOT } from '../../../../shared/file-path.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { type Moment, momentsQuery } from '../../../data/snapshots.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { usePhone } from '../../../ui/use-media.ts'
import { displayName } from '../../../widgets/display-name.ts'
import { Loading } from '../../../widgets/loading.tsx'
import history from '../versions/history.module.css'
import { MomentList } from './moment-list.tsx'
import { PastFolder } from './past-folder.tsx'

/** A folder as snapshots have it: moments on the side, and in view what it held then. */
export function SnapshotsDialog({ folder, onDismiss }: PromptProps<'snapshots'>) {
  const { data, error, refetch } = useQuery(momentsQuery(folder))
  return (
    <Dialog
      title={t('files.action.snapshots')}
      description={folder === ROOT ? undefined : <bdi>{displayName(nameOf(folder))}</bdi>}
      size="window"
      full
      closeLabel={t('action.close')}
      onDismiss={onDismiss}
    >
      {data === undefined && error === null && <Loading height="100%" size={28} />}
      {error !== null && (
        <EmptyState title={errorText(error)}>
          <Button icon={RotateCw} label={t('action.retry')} onClick={() => void refetch()} />
        </EmptyState>
      )}
      {data?.moments.length === 0 && (
        <div className="grid">
          <EmptyState
            picture={<Layers size={64} strokeWidth={1.25} />}
            title={t('snapshots.none.title')}
            text={t(data.unknown > 0 ? 'snapshots.unknown' : 'snapshots.none.text')}
          />
        </div>
      )}
      {data !== undefined && data.moments.length > 0 && <Moments folder={folder} {...data} />}
    </Dialog>
  )
}

/** Side by side; on phones one after the other. */
function Moments({ folder, moments, unknown }: { folder: FilePath; moments: readonly Moment[]; unknown: number }) {
  const phone = usePhone()
  const [wanted, setWanted] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const chosen = moments.find(({ id }) => id === wanted) ?? moments[0]
  if (chosen === undefined) return null
  const list = (
    <MomentList moments={moments} unknown={unknown} chosen={chosen.id} onChoose={setWanted} onOpen={phone ? () => setOpen(true) : null} />
  )
  if (phone && !isOpen) return <div className={history.history}>{list}</div>
  return (
    <div className={history.history}>
      <PastFolder key={chosen.id} top={folder} moment={chosen} onBack={phone ? () => setOpen(false) : null} />
      {!phone && list}
    </div>
  )
}

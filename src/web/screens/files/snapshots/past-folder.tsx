import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, ArrowUp, Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type FilePath, joinPath, nameOf, parentOf } from '../../../../shared/file-path.ts'
import { useUser } from '../../../data/session.ts'
import { type Moment, pastAddress, type PastEntry, pastFolderQuery } from '../../../data/snapshots.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { IconLink } from '../../../ui/icon-link.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { useBackToClose } from '../../../ui/use-back-to-close.ts'
import { displayName } from '../../../widgets/display-name.ts'
import { Loading } from '../../../widgets/loading.tsx'
import { may } from '../action-rules.ts'
import { report } from '../report.ts'
import stage from '../versions/stage.module.css'
import styles from './past-folder.module.css'
import { PastRow } from './past-row.tsx'
import { restoreEntry } from './restore.ts'

export interface PastFolderProps {
  /** The folder whose snapshots are shown. */
  top: FilePath
  moment: Moment
  /** Back to the list; null if it is beside. */
  onBack: (() => void) | null
}

/** A folder at a moment, and folders in it: entries are restored and downloaded. */
export function PastFolder({ top, moment, onBack }: PastFolderProps) {
  const { id, at } = moment
  const queries = useQueryClient()
  const { perm } = useUser()
  const [folder, setFolder] = useState(top)
  const [shown, setShown] = useState<'changed' | 'all'>('changed')
  const { data, error } = useQuery(pastFolderQuery(folder, id))
  const first = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const isNew = useRef(true)
  const isAlone = onBack !== null
  useBackToClose({ open: isAlone, onBack: () => onBack?.() })
  // On phones it has taken the place of the list; in another folder, the entry that had the focus is gone.
  useEffect(() => {
    if (isAlone || !isNew.current) (first.current ?? list.current)?.focus()
    isNew.current = false
  }, [folder, isAlone])

  const restore = may(perm, 'create')
    ? (entry: PastEntry) => void restoreEntry(queries, entry, { id, path: joinPath(folder, entry.name) }).catch(report)
    : null
  // A folder may hold what is missing, so it is shown in any case.
  const entries = data?.entries.filter(({ now, isDir }) => shown === 'all' || isDir || now !== 'same') ?? []
  const isTop = folder === top
  return (
    <section className={stage.stage} aria-label={formatDateTime(at)} data-part="past-folder">
      <header className={stage.bar}>
        {!isTop ? (
          <IconButton
            ref={first}
            label={t('files.picker.up')}
            icon={<ArrowUp size={19} strokeWidth={1.75} />}
            onClick={() => setFolder(parentOf(folder))}
          />
        ) : (
          onBack !== null && (
            <IconButton
              ref={first}
              label={t('versions.back')}
              icon={<ArrowLeft size={19} strokeWidth={1.75} className="mirror" />}
              onClick={onBack}
            />
          )
        )}
        <p className={stage.words}>
          <bdi className="text-section nowrap">{formatDateTime(at)}</bdi>
          {!isTop && <bdi className="muted text-caption break-anywhere">{displayName(nameOf(folder))}</bdi>}
        </p>
        <div className={stage.tools}>
          <IconLink label={t('preview.download')} icon={Download} href={pastAddress(folder, { id, isDir: true })} download />
        </div>
        <div className={stage.choice}>
          <Segmented
            label={t('snapshots.show')}
            value={shown}
            options={[
              { value: 'changed', label: t('snapshots.changed') },
              { value: 'all', label: t('snapshots.all') },
            ]}
            onValue={setShown}
          />
        </div>
      </header>
      <div ref={list} className={styles.entries} tabIndex={-1}>
        {data === undefined && error === null && <Loading height="100%" size={28} />}
        {error !== null && <EmptyState title={errorText(error)} />}
        {data !== undefined && entries.length === 0 && (
          <EmptyState title={t(data.entries.length === 0 ? 'snapshots.empty' : 'snapshots.unchanged')} />
        )}
        {entries.length > 0 && (
          <ul aria-label={t('snapshots.entries')}>
            {entries.map((entry) => (
              <PastRow
                key={entry.name}
                entry={entry}
                download={pastAddress(joinPath(folder, entry.name), { id, isDir: entry.isDir })}
                onOpen={entry.isDir ? () => setFolder(joinPath(folder, entry.name)) : null}
                onRestore={restore && (() => restore(entry))}
              />
            ))}
          </ul>
        )}
        {data !== undefined && data.left > 0 && <p className={styles.note}>{t('snapshots.left')}</p>}
      </div>
    </section>
  )
}

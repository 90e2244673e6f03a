import { Suspense, useMemo, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from '../../router/router.tsx'
import { inTime } from '../../data/chunks.ts'
import { isAlbum } from '../../data/album.ts'
import { entryAt, entryOf, isComplete, sizeOfFiles } from '../../data/listing.ts'
import { ask, isAsking } from '../../data/prompts.ts'
import { Selection } from '../../data/selection.ts'
import { shareDownloadLink, urlInShare } from '../../data/share-links.ts'
import { fullAddress } from '../../data/paths.ts'
import type { SharedResource } from '../../data/shared-resource.ts'
import { whenIdle } from '../../data/when-idle.ts'
import { formatCounts } from '../../i18n/counts.ts'
import { formatBytes, formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { lazyPart } from '../../i18n/lazy-part.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { usePageEvent } from '../../ui/use-page-event.ts'
import { displayName } from '../../widgets/display-name.ts'
import { EntryIcon } from '../../widgets/entry-icon.tsx'
import styles from './folder-page.module.css'
import { InfoCard } from './info-card.tsx'
import columns from './share-screen.module.css'
import { SharedList } from './shared-list.tsx'

const SharedCrumbs = lazyPart(async () => (await inTime(import('./shared-crumbs.tsx'))).SharedCrumbs)
const SendButton = lazyPart(async () => (await inTime(import('./upload-button.tsx'))).UploadButton)
/** Without it, the rendered list is printed. */
const PrintSheet = lazyPart(
  async () => (await import('../../widgets/print-sheet.tsx')).PrintSheet,
  () => whenIdle(2000),
)
const SharedActions = lazyPart(async () => (await inTime(import('./shared-actions.tsx'))).SharedActions)
const SharedAlbum = lazyPart(async () => (await inTime(import('./shared-album.tsx'))).SharedAlbum)
const SelectionBar = lazyPart(async () => (await inTime(import('./selection-bar.tsx'))).SelectionBar)
const SendList = lazyPart(async () => (await inTime(import('./visitor-upload-list.tsx'))).VisitorUploadList)

/** A shared folder or a folder in it: information and its entries. */
export function FolderPage({ hash, folder }: { hash: string; folder: Extract<SharedResource, { kind: 'folder' }> }) {
  const { path } = folder
  const location = useLocation()
  const navigate = useNavigate()
  const selection = useMemo(() => new Selection(folder.names.length), [folder])
  const multiple = useSyncExternalStore(selection.subscribe, () => selection.multiple)
  const count = useSyncExternalStore(selection.subscribe, () => selection.count)
  const size = useMemo(() => sizeOfFiles(folder), [folder])
  const share = { hash, name: folder.name === '' ? t('visit.whole') : folder.name }
  const { link } = folder
  const { may } = link
  const mayTake = link.rights !== 'view'
  const whole = isComplete(folder)
  const List = useMemo(() => (isAlbum(folder) ? SharedAlbum : SharedList), [folder])
  // Wherever the focus is.
  usePageEvent('keydown', (event) => event.key === 'Escape' && !isAsking() && selection.clear())

  const pageLink = globalThis.location.origin + fullAddress(urlInShare(hash, path, { folder: true }))
  const amount = (
    <>
      {formatCounts({ folders: folder.numDirs, files: folder.numFiles })}
      {folder.numFiles > 0 && whole && (
        <>
          {' · '}
          <bdi>{formatBytes(size)}</bdi>
        </>
      )}
    </>
  )
  const open = (index: number) => {
    const entry = entryOf(folder, index)
    void navigate(urlInShare(hash, entry.path, { folder: entry.isDir }), { state: { from: 'list' } })
  }
  return (
    <div className={columns.columns}>
      <InfoCard
        name={folder.name}
        type=""
        isDir
        amount={amount}
        modified={folder.modified}
        link={link}
        isWholeShare={folder.isWholeShare}
        downloadLink={shareDownloadLink(hash, path)}
        pageLink={pageLink}
        onFormats={() => void ask('download', { subject: { share, folder: path, paths: [] } })}
      />
      <section className={columns.panel} aria-labelledby="shared-files" aria-busy={!whole} data-part="share-list">
        <header className={styles.head}>
          <h2 id="shared-files" className="shrinkable text-section">
            {folder.isWholeShare ? (
              t('visit.files')
            ) : (
              <Suspense>
                <SharedCrumbs hash={hash} path={path} />
              </Suspense>
            )}
          </h2>
          <span className="flex wrap gap-2 justify-end">
            {may.create && (
              <Suspense>
                <SendButton hash={hash} folder={path} />
              </Suspense>
            )}
            {folder.names.length > 0 && mayTake && whole && (
              <Button
                label={t('visit.select-multiple')}
                size="small"
                variant="quiet"
                aria-pressed={multiple}
                onClick={() => (multiple ? selection.clear() : selection.setMultiple(true))}
              />
            )}
          </span>
        </header>
        {may.create && (
          <Suspense>
            <SendList hash={hash} clearable />
          </Suspense>
        )}
        {folder.names.length === 0 ? (
          <EmptyState picture={<EntryIcon name="" type="" isDir size={72} />} title={t('visit.empty.title')} text={t('visit.empty.text')} />
        ) : (
          <Suspense fallback={<p className={styles.waiting} />}>
            <List
              hash={hash}
              folder={folder}
              selection={selection}
              label={share.name}
              mayTake={mayTake}
              focus={initialFocus(location.state)}
              onOpen={open}
            />
          </Suspense>
        )}
        <p className="sr-only" role="status">
          {count === 0 ? '' : t('files.selected', { count, number: formatNumber(count) })}
        </p>
        {mayTake && whole && (multiple || count > 0) && (
          <Suspense>
            <SelectionBar
              share={share}
              folder={folder}
              selection={selection}
              actions={(may.rename || may.delete) && <SharedActions hash={hash} folder={folder} selection={selection} may={may} />}
            />
          </Suspense>
        )}
      </section>
      <Suspense>
        <PrintSheet
          title={displayName(share.name)}
          amount={amount}
          address={pageLink}
          count={folder.order.length}
          entryAt={(position) => entryAt(folder, position)}
        />
      </Suspense>
    </div>
  )
}

/** The entry to focus: the one just left; true for the first after coming from another folder; null on the first visit. */
function initialFocus(state: unknown): string | true | null {
  if (typeof state !== 'object' || state === null) return null
  if ('focus' in state && typeof state.focus === 'string') return state.focus
  return 'from' in state ? true : null
}

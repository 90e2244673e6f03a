import { useQueryClient } from '@tanstack/react-query'
import { ChartPie, Link2, Star } from 'lucide-react'
import { Suspense, useState } from 'react'
import { type FilePath, nameOf, ROOT } from '../../../../shared/file-path.ts'
import { chooseDetailsTab, useDetailsTab } from '../../../data/details-tab.ts'
import type { Totals } from '../../../data/folder-totals.ts'
import { inTime } from '../../../data/chunks.ts'
import type { ListedEntry, Listing } from '../../../data/listing.ts'
import { pageConfig } from '../../../data/page-config.ts'
import { hasThumbnail, imageAddress, pictureAddress } from '../../../data/pictures.ts'
import { useStars } from '../../../data/favourites.ts'
import { ask, type PromptProps } from '../../../data/prompts.ts'
import { useUser } from '../../../data/session.ts'
import { useLinkedPaths, useSharedWith } from '../../../data/shared-paths.ts'
import { formatCounts } from '../../../i18n/counts.ts'
import { formatBytes, formatBytesExact, formatDateExact } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { lazyPart } from '../../../i18n/lazy-part.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { useFolderName } from '../folder-name.ts'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import { kindName } from '../../../widgets/kind-name.ts'
import { Loading } from '../../../widgets/loading.tsx'
import { may } from '../action-rules.ts'
import { star, type StarSubject } from '../star.ts'
import { Checksums } from './checksums.tsx'
import styles from './details.module.css'
import { Fact } from './fact.tsx'
import { NOTHING, useContent } from './use-content.ts'

const Locks = lazyPart(async () => (await inTime(import('./locks.tsx'))).Locks)
const PhotoFacts = lazyPart(async () => (await inTime(import('./photo-facts.tsx'))).PhotoFacts)
const Activity = lazyPart(async () => (await inTime(import('../activity/activity.tsx'))).Activity)

/** Subject of the details: an entry, the current folder, or a selection. */
export type InfoSubject =
  | { readonly kind: 'entry'; readonly entry: Pick<ListedEntry, 'path' | 'name' | 'size' | 'modified' | 'type' | 'isDir' | 'isLink'> }
  | { readonly kind: 'folder'; readonly listing: Listing }
  | { readonly kind: 'many'; readonly folderPaths: readonly FilePath[]; readonly files: number; readonly size: number }

export interface DetailsProps {
  subject: InfoSubject
  /** Opens the disk usage of a folder. */
  onUsage: (folder: FilePath) => void
  /** Follows a link to an address of this application. */
  onGo: (url: string) => void
}

/** Details as a dialog, where there is no room for the pane; a bottom sheet on phones. */
export function InfoDialog({ subject, onAnswer, onDismiss }: PromptProps<'info'>) {
  return (
    <Dialog title={t('files.info.title')} size="small" closeLabel={t('action.close')} onDismiss={onDismiss}>
      <Details subject={subject} onUsage={(usage) => onAnswer({ usage })} onGo={(url) => onAnswer({ url })} />
    </Dialog>
  )
}

/** Details of an entry, of the current folder or of a selection, and what was done to it. */
export function Details({ subject, onUsage, onGo }: DetailsProps) {
  const { tab } = useDetailsTab()
  const node = nodeOf(subject)
  const general = <General subject={subject} onUsage={onUsage} />
  if (node === null) return general
  const tabs = [
    { id: 'general', label: t('files.info.general') },
    { id: 'activity', label: t('activity.title') },
  ] as const
  return (
    <div className={styles.tabs}>
      <Tabs label={t('files.info.title')} tabs={tabs} selected={tab} onSelect={chooseDetailsTab}>
        {tab === 'general' ? (
          general
        ) : (
          <Suspense fallback={<Loading height="160px" size={24} tone="faint" />}>
            <Activity key={node.path} {...node} onGo={onGo} />
          </Suspense>
        )}
      </Tabs>
    </div>
  )
}

/** Preview, type, size, dates, location, and checksums on request. */
function General({ subject, onUsage }: Omit<DetailsProps, 'onGo'>) {
  const { perm } = useUser()
  const folder = folderOf(subject)
  const marked = markableOf(subject)
  const locked = pageConfig.WebDAV && pageConfig.WithMe === undefined && subject.kind === 'entry' ? subject.entry.path : null
  return (
    <div className="grid gap-6 shrinkable" data-part="details">
      <Face subject={subject} />
      <dl className={styles.facts}>
        <Facts subject={subject} />
      </dl>
      {locked !== null && (
        <Suspense fallback={null}>
          <Locks path={locked} />
        </Suspense>
      )}
      {(marked !== null || folder !== null) && (
        <div className="flex wrap gap-4">
          {marked !== null && <StarButton subject={marked} />}
          {folder !== null && <Button label={t('files.action.usage')} icon={ChartPie} onClick={() => onUsage(folder)} />}
        </div>
      )}
      {subject.kind === 'entry' && !subject.entry.isDir && subject.entry.type !== 'invalid_link' && may(perm, 'download') && (
        <Disclosure label={t('files.info.checksums')}>
          <Checksums path={subject.entry.path} />
        </Disclosure>
      )}
    </div>
  )
}

/** Thumbnail or icon, and name. */
function Face({ subject }: { subject: InfoSubject }) {
  const nameOfFolder = useFolderName()
  if (subject.kind === 'many') {
    const count = subject.folderPaths.length + subject.files
    return <p className="text-section break-anywhere">{t('files.selected', { count, number: String(count) })}</p>
  }
  if (subject.kind === 'folder') {
    const { path } = subject.listing
    return (
      <>
        <span className={styles.glyph}>
          <EntryIcon name={nameOf(path)} type="" isDir size={72} />
        </span>
        <p className="text-section break-anywhere">
          <bdi>{nameOfFolder(path)}</bdi>
        </p>
      </>
    )
  }
  const { entry } = subject
  return (
    <>
      <Picture entry={entry} />
      <p className="text-section break-anywhere">
        <bdi>{displayName(entry.name)}</bdi>
      </p>
    </>
  )
}

/** As large as the space allows; the icon while loading and if there is none. */
function Picture({ entry }: { entry: Extract<InfoSubject, { kind: 'entry' }>['entry'] }) {
  const { perm } = useUser()
  const { path, modified, type } = entry
  const [state, setState] = useState<'coming' | 'shown' | 'none'>('coming')
  const src = type === 'image' ? imageAddress(path, modified) : pictureAddress('thumb', path, modified)
  const wanted = hasThumbnail(entry) && may(perm, 'download') && state !== 'none'
  return (
    <span className={styles.glyph} data-state={wanted ? state : 'none'}>
      {(!wanted || state !== 'shown') && <EntryIcon name={entry.name} type={type} isDir={entry.isDir} isLink={entry.isLink} size={72} />}
      {wanted && (
        <img
          src={src}
          alt=""
          className={styles.picture}
          decoding="async"
          draggable={false}
          onLoad={() => setState('shown')}
          onError={() => setState('none')}
        />
      )}
    </span>
  )
}

/** Names on show of those with whom an entry is shared. */
const MOST_NAMES = 3

/** Whether and with whom the entry is shared, and a button that opens its shares. */
function Links({ path, isDir }: { path: FilePath; isDir: boolean }) {
  const { perm } = useUser()
  const linked = useLinkedPaths().has(path)
  const people = useSharedWith().get(path) ?? []
  const shared = linked || people.length > 0
  const names = people.slice(0, MOST_NAMES).map(({ name }) => displayName(name))
  const more = people.length > MOST_NAMES ? ['…'] : []
  if (!may(perm, 'share')) return null
  return (
    <Fact label={t('files.info.links')}>
      {!shared && t('files.info.links.none')}
      {linked && t('files.info.links.some')}
      {linked && people.length > 0 && <br />}
      {people.length > 0 && t('people.done', { name: [...names, ...more].join(', ') })}
      {shared && (
        <Button
          label={t(linked ? 'files.info.links.show' : 'action.show')}
          size="small"
          variant="quiet"
          className={styles.links}
          icon={Link2}
          onClick={() => void ask('share', { path, isDir }, { onTop: true })}
        />
      )}
    </Fact>
  )
}

/** What can be a favourite: one entry or the current folder. */
function markableOf(subject: InfoSubject): StarSubject | null {
  if (subject.kind === 'many') return null
  const { path } = subject.kind === 'entry' ? subject.entry : subject.listing
  // A name that is not UTF-8 cannot be stored.
  if (path === ROOT || !path.isWellFormed()) return null
  if (subject.kind === 'folder') return { path, isDir: true, modified: subject.listing.modified }
  return subject.entry.type === 'invalid_link' ? null : subject.entry
}

function StarButton({ subject }: { subject: StarSubject }) {
  const queries = useQueryClient()
  const starred = useStars().has(subject.path)
  return (
    <Button
      label={t(starred ? 'files.action.unstar' : 'files.action.star')}
      icon={<Star size={18} strokeWidth={1.75} fill={starred ? 'currentColor' : 'none'} />}
      onClick={() => star(queries, [subject], !starred)}
    />
  )
}

/** The subject, if it is exactly one. */
function nodeOf(subject: InfoSubject): { path: FilePath; isDir: boolean } | null {
  if (subject.kind === 'many') return null
  const { path, isDir } = subject.kind === 'entry' ? subject.entry : { path: subject.listing.path, isDir: true }
  // A name that is not UTF-8 cannot be part of a query.
  return path.isWellFormed() ? { path, isDir } : null
}

/** The folder, if the subject is exactly one. */
function folderOf(subject: InfoSubject): FilePath | null {
  if (subject.kind === 'folder') return subject.listing.path
  return subject.kind === 'entry' && subject.entry.isDir ? subject.entry.path : null
}

function Facts({ subject }: { subject: InfoSubject }) {
  const { perm } = useUser()
  if (subject.kind === 'many') {
    return (
      <>
        <Fact label={t('files.info.selected')}>{formatCounts({ folders: subject.folderPaths.length, files: subject.files })}</Fact>
        {subject.folderPaths.length === 0 ? (
          <Fact label={t('files.column.size')}>{sizeText(subject.size)}</Fact>
        ) : (
          <ContentFacts
            folders={subject.folderPaths}
            besides={{ folders: subject.folderPaths.length, files: subject.files, bytes: subject.size }}
          />
        )}
      </>
    )
  }
  if (subject.kind === 'folder') {
    const { listing } = subject
    return (
      <>
        <Fact label={t('files.info.here')}>{formatCounts({ folders: listing.numDirs, files: listing.numFiles })}</Fact>
        <ContentFacts folders={[listing.path]} />
        <Fact label={t('files.column.modified')}>{formatDateExact(new Date(listing.modified))}</Fact>
        <Fact label={t('files.info.path')}>{displayName(listing.path)}</Fact>
        <Links path={listing.path} isDir />
      </>
    )
  }
  const { entry } = subject
  return (
    <>
      <Fact label={t('files.info.type')}>{kindName(entry)}</Fact>
      {!entry.isDir && entry.type !== 'invalid_link' && <Fact label={t('files.column.size')}>{sizeText(entry.size)}</Fact>}
      {(entry.type === 'image' || entry.type === 'video') && may(perm, 'download') && (
        <Suspense fallback={null}>
          <PhotoFacts path={entry.path} modified={entry.modified} type={entry.type} />
        </Suspense>
      )}
      {entry.isDir && <ContentFacts folders={[entry.path]} />}
      <Fact label={t('files.column.modified')}>{formatDateExact(new Date(entry.modified))}</Fact>
      <Fact label={t('files.info.path')}>{displayName(entry.path)}</Fact>
      <Links path={entry.path} isDir={entry.isDir} />
    </>
  )
}

function ContentFacts({ folders, besides = NOTHING }: { folders: readonly FilePath[]; besides?: Totals }) {
  const { sum, state } = useContent({ folders, besides })
  if (typeof state === 'object') return <Fact label={t('files.info.content')}>{errorText(state.error)}</Fact>
  const busy = state === 'counting' && <Spinner size={14} />
  return (
    <>
      <Fact label={t('files.info.content')}>{formatCounts({ folders: sum.folders, files: sum.files })}</Fact>
      <Fact label={t('files.info.total')}>
        <span className={styles.counting}>
          {sizeText(sum.bytes)}
          {busy}
        </span>
      </Fact>
      <p className="sr-only" role="status">
        {state === 'done' ? t('files.info.counted') : ''}
      </p>
    </>
  )
}

function sizeText(bytes: number): string {
  return bytes < 1024 ? formatBytesExact(bytes) : `${formatBytes(bytes)} (${formatBytesExact(bytes)})`
}

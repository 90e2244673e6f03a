import { useQueryClient } from '@tanstack/react-query'
import { ChartPie, Star } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { type FilePath, nameOf, ROOT } from '../../../../shared/file-path.ts'
import { plus, type Sum, sumBelow } from '../../../data/folder-sum.ts'
import { knownSum } from '../../../data/folder-sizes.ts'
import { readImageSize } from '../../../data/image-size.ts'
import { useStars } from '../../../data/places.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { useUser } from '../../../data/session.ts'
import { formatBytes, formatBytesExact, formatDateExact } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { kindName } from '../../../widgets/kind-name.ts'
import { may } from '../offers.ts'
import { report } from '../report.ts'
import { star, type StarSubject } from '../star.ts'
import { Checksums } from './checksums.tsx'
import styles from './info-dialog.module.css'
import type { InfoSubject } from './kinds.ts'

/** What is known of an entry, of the folder on show or of a selection; checksums when asked for. */
export function InfoDialog({ subject, onAnswer, onDismiss }: PromptProps<'info'>) {
  const { perm } = useUser()
  const folder = folderOf(subject)
  const marked = markableOf(subject)
  return (
    <Dialog title={t('files.info.title')} size="small" closeLabel={t('action.close')} onDismiss={onDismiss}>
      <dl className={styles.facts}>
        <Facts subject={subject} />
      </dl>
      {subject.kind === 'entry' && !subject.entry.isDir && subject.entry.type !== 'invalid_link' && may(perm, 'download') && (
        <Checksums path={subject.entry.path} />
      )}
      {(marked !== null || folder !== null) && (
        <div className={styles.deeds}>
          {marked !== null && <StarDeed subject={marked} />}
          {folder !== null && (
            <Button icon={<ChartPie size={18} strokeWidth={1.75} />} onClick={() => onAnswer(folder)}>
              {t('files.action.usage')}
            </Button>
          )}
        </div>
      )}
    </Dialog>
  )
}

/** What can be made a favourite: the one entry, or the folder on show. */
function markableOf(subject: InfoSubject): StarSubject | null {
  if (subject.kind === 'many') return null
  const { path } = subject.kind === 'entry' ? subject.entry : subject.listing
  // A name that is not UTF-8 cannot be written down (decision 21).
  if (path === ROOT || !path.isWellFormed()) return null
  if (subject.kind === 'folder') return { path, isDir: true, modified: subject.listing.modified }
  return subject.entry.type === 'invalid_link' ? null : subject.entry
}

function StarDeed({ subject }: { subject: StarSubject }) {
  const queries = useQueryClient()
  const starred = useStars().has(subject.path)
  return (
    <Button
      icon={<Star size={18} strokeWidth={1.75} fill={starred ? 'currentColor' : 'none'} />}
      onClick={() => void star(queries, [subject], !starred).catch(report)}
    >
      {t(starred ? 'files.action.unstar' : 'files.action.star')}
    </Button>
  )
}

/** The one folder that is spoken of. */
function folderOf(subject: InfoSubject): FilePath | null {
  if (subject.kind === 'folder') return subject.listing.path
  return subject.kind === 'entry' && subject.entry.isDir ? subject.entry.path : null
}

function Facts({ subject }: { subject: InfoSubject }) {
  const { perm } = useUser()
  if (subject.kind === 'many') {
    return (
      <>
        <Fact label={t('files.info.selected')}>{t('files.meta', { folders: subject.folderPaths.length, files: subject.files })}</Fact>
        {subject.folderPaths.length === 0 ? (
          <Fact label={t('files.column.size')}>{sizeText(subject.size)}</Fact>
        ) : (
          <Content
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
        <Fact label={t('files.column.name')}>{listing.path === ROOT ? t('files.root') : displayName(nameOf(listing.path))}</Fact>
        <Fact label={t('files.info.path')}>{displayName(listing.path)}</Fact>
        <Fact label={t('files.info.here')}>{t('files.meta', { folders: listing.numDirs, files: listing.numFiles })}</Fact>
        <Content folders={[listing.path]} />
        <Fact label={t('files.column.modified')}>{formatDateExact(new Date(listing.modified))}</Fact>
      </>
    )
  }
  const { entry } = subject
  return (
    <>
      <Fact label={t('files.column.name')}>{displayName(entry.name)}</Fact>
      <Fact label={t('files.info.type')}>{kindName(entry)}</Fact>
      {!entry.isDir && entry.type !== 'invalid_link' && <Fact label={t('files.column.size')}>{sizeText(entry.size)}</Fact>}
      {entry.type === 'image' && may(perm, 'download') && <PixelsFact path={entry.path} />}
      {entry.isDir && <Content folders={[entry.path]} />}
      <Fact label={t('files.column.modified')}>{formatDateExact(new Date(entry.modified))}</Fact>
      <Fact label={t('files.info.path')}>{displayName(entry.path)}</Fact>
    </>
  )
}

/** Everything below some folders: known at once, or counted while one looks on; closing the dialog ends it. */
function Content({ folders, besides = NOTHING }: { folders: readonly FilePath[]; besides?: Sum }) {
  const [asked] = useState({ folders, besides })
  const [sum, setSum] = useState(besides)
  const [state, setState] = useState<'counting' | 'done' | { error: unknown }>('counting')
  // Talks to the server.
  useEffect(() => {
    const left = new AbortController()
    const count = async (): Promise<void> => {
      let before = asked.besides
      for (const folder of asked.folders) {
        const onSum = (some: Sum) => setSum(plus(before, some))
        const known = await knownSum(folder, left.signal)
        before = plus(before, known ?? (await sumBelow(folder, { signal: left.signal, onSum })))
        setSum(before)
      }
      setState('done')
    }
    count().catch((error: unknown) => left.signal.aborted || setState({ error }))
    return () => left.abort()
  }, [asked])
  if (typeof state === 'object') return <Fact label={t('files.info.content')}>{errorText(state.error)}</Fact>
  const busy = state === 'counting' && <Spinner size={14} />
  return (
    <>
      <Fact label={t('files.info.content')}>{t('files.meta', { folders: sum.folders, files: sum.files })}</Fact>
      <Fact label={t('files.info.total')}>
        {sizeText(sum.bytes)} {busy}
      </Fact>
      <p className="sr-only" role="status">
        {state === 'done' ? t('files.info.counted') : ''}
      </p>
    </>
  )
}

const NOTHING: Sum = { folders: 0, files: 0, bytes: 0 }

/** Where the first bytes tell; else there is no such line. */
function PixelsFact({ path }: { path: FilePath }) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  // Talks to the server.
  useEffect(() => {
    const left = new AbortController()
    void readImageSize(path, { signal: left.signal }).then(setSize, () => undefined)
    return () => left.abort()
  }, [path])
  return size && <Fact label={t('files.info.pixels')}>{t('files.info.pixels.value', { ...size })}</Fact>
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  )
}

function sizeText(bytes: number): string {
  return bytes < 1024 ? formatBytesExact(bytes) : `${formatBytes(bytes)} (${formatBytesExact(bytes)})`
}

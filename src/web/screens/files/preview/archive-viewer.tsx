import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArchiveRestore, ChevronRight, Download, House } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { File } from '../../../../shared/contract/resources.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { fileType } from '../../../../shared/file-type.ts'
import { archiveQuery, entriesIn, entryAddress, type InnerEntry } from '../../../data/archives.ts'
import { usePermissions } from '../../../data/rights.ts'
import { formatBytes, formatDate } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { IconLink } from '../../../ui/icon-link.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import { FileFallback } from '../../../widgets/file-fallback.tsx'
import { FileName } from '../../../widgets/file-name.tsx'
import { may } from '../action-rules.ts'
import { askExtract } from '../archive-operations.ts'
import { report } from '../report.ts'
import styles from './archive-viewer.module.css'

/** Rows rendered at first, and added on request. */
const SOME = 300

/** Content of an archive, folder by folder; single files can be downloaded, everything can be extracted. */
export function ArchiveViewer({ file, path, download }: { file: File; path: FilePath; download: string | null }) {
  const queries = useQueryClient()
  const modified = Date.parse(file.modified)
  const perm = usePermissions()
  const { data, error } = useQuery(archiveQuery(path, modified))
  const [folder, setFolder] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const moved = useRef(false)
  const mayExtract = may(perm, 'create')
  const extract = (names?: readonly string[]) =>
    void askExtract(queries, { path, modified, inside: folder, ...(names && { names }) }).catch(report)
  const go = (to: string) => {
    moved.current = true
    setFolder(to)
  }
  // The focused row has disappeared with its folder.
  useEffect(() => {
    if (!moved.current) return
    moved.current = false
    list.current?.focus()
  }, [folder])

  if (error !== null) {
    return (
      <div className="full-width full-height shrinkable-block" role="alert">
        <FileFallback file={file} reason={errorText(error)} download={download} />
      </div>
    )
  }
  if (data === undefined) return <Spinner size={32} />
  const entries = entriesIn(data.entries, folder)
  return (
    <section className={styles.archive} aria-label={t('preview.archive.content', { name: displayName(file.name) })} data-part="archive">
      <header className="row wrap gap-4 between">
        <Way folder={folder} onFolder={go} />
        {mayExtract && <Button label={t('preview.archive.extract-all')} icon={ArchiveRestore} onClick={() => extract()} />}
      </header>
      <ul
        ref={list}
        key={folder}
        className={styles.list}
        tabIndex={-1}
        aria-label={t('preview.archive.content', { name: displayName(file.name) })}
      >
        <Rows
          entries={entries}
          onFolder={(name) => go(folder === '' ? name : `${folder}/${name}`)}
          onExtract={mayExtract ? extract : null}
          path={path}
        />
        {entries.length === 0 && <li className={styles.word}>{t('preview.archive.empty')}</li>}
      </ul>
      {data.count > data.entries.length + data.leftOut.length && (
        <p className={styles.note}>{t('preview.archive.many', { count: data.entries.length })}</p>
      )}
      {data.leftOut.length > 0 && (
        <details className={styles.note}>
          <summary>{t('job.left-out', { count: data.leftOut.length })}</summary>
          <ul>
            {data.leftOut.slice(0, SOME).map(({ name, reason }, at) => (
              <li key={at}>
                <bdi>{displayName(name)}</bdi>: {t(`job.left-out.${reason}`)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function Way({ folder, onFolder }: { folder: string; onFolder: (folder: string) => void }) {
  const steps = folder === '' ? [] : folder.split('/')
  return (
    <nav className="row wrap shrinkable" aria-label={t('files.breadcrumbs')}>
      <IconButton label={t('preview.archive.top')} icon={House} onClick={() => onFolder('')} />
      {steps.map((step, at) => (
        <span key={at} className={styles.step}>
          <ChevronRight size={16} className={styles.chevron} aria-hidden />
          <button
            type="button"
            className={styles.stepButton}
            aria-current={at === steps.length - 1 ? 'location' : undefined}
            onClick={() => onFolder(steps.slice(0, at + 1).join('/'))}
          >
            <FileName name={step} />
          </button>
        </span>
      ))}
    </nav>
  )
}

interface RowsProps {
  entries: readonly InnerEntry[]
  path: FilePath
  onFolder: (name: string) => void
  onExtract: ((names: readonly string[]) => void) | null
}

function Rows({ entries, path, onFolder, onExtract }: RowsProps) {
  const [most, setMost] = useState(SOME)
  return (
    <>
      {entries.slice(0, most).map((one) => (
        <li key={one.name} className={styles.row}>
          <EntryIcon name={one.name} type={one.isDir ? '' : (fileType(one.name) ?? 'blob')} isDir={one.isDir} size={28} />
          {one.isDir ? (
            <button type="button" className={styles.open} onClick={() => onFolder(one.name)}>
              <FileName name={one.name} />
            </button>
          ) : (
            <span className={styles.name}>
              <FileName name={one.name} />
              <span className={styles.meta}>
                {one.size !== null && <bdi>{formatBytes(one.size)}</bdi>}
                {one.modified !== null && <bdi>{formatDate(new Date(one.modified))}</bdi>}
              </span>
            </span>
          )}
          {one.entry !== null && (
            <IconLink
              label={t('preview.archive.save', { name: displayName(one.name) })}
              icon={Download}
              href={entryAddress(path, one.entry)}
              download
            />
          )}
          {onExtract !== null && (
            <IconButton
              label={t('preview.archive.extract-one', { name: displayName(one.name) })}
              icon={ArchiveRestore}
              onClick={() => onExtract([one.name])}
            />
          )}
        </li>
      ))}
      {entries.length > most && (
        <li>
          <Button label={t('preview.archive.more')} variant="quiet" onClick={() => setMost(most + SOME)} />
        </li>
      )}
    </>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Info, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Job } from '../../../shared/contract/jobs.ts'
import type { Unfinished } from '../../../shared/contract/tus.ts'
import { isOpenJob, removingJob, useJobs } from '../../data/jobs.ts'
import { mutate } from '../../data/query.ts'
import { useUnfinished } from '../../data/uploads/unfinished.ts'
import {
  cancelUploads,
  clearUploads,
  pauseUploads,
  resumeUploads,
  retryUploads,
  useBodyLimit,
  useUploads,
} from '../../data/uploads/uploads.ts'
import { formatBytes, formatDuration } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { usePhone } from '../../ui/use-media.ts'
import { JobList } from './job-list.tsx'
import { progressOf, summarise } from './tray.ts'
import { UnfinishedList } from './unfinished-list.tsx'
import { UploadList } from './upload-list.tsx'
import styles from './upload-tray.module.css'

/**
 * Upload panel: uploads with progress, total speed and remaining time, jobs, and unfinished uploads of earlier pages.
 * @param owner whose unfinished uploads are shown; null for none
 * @param jobOwner whose jobs are shown
 */
export function UploadTray({ owner, jobOwner }: { owner: number | null; jobOwner: number | null }) {
  const jobs = useJobs(jobOwner)
  const some = useUploads((state) => state.uploads.length > 0)
  const unfinished = useUnfinished(owner)
  const [hidden, setHidden] = useState(false)
  const offered = hidden ? [] : unfinished
  if (!some && offered.length === 0 && jobs.length === 0) return null
  return <Tray owner={owner} unfinished={offered} jobs={jobs} onHide={() => setHidden(true)} />
}

interface TrayProps {
  owner: number | null
  unfinished: readonly Unfinished[]
  jobs: readonly Job[]
  onHide: () => void
}

function Tray({ owner, unfinished, jobs, onHide }: TrayProps) {
  const queries = useQueryClient()
  const uploads = useUploads((state) => state.uploads)
  const phone = usePhone()
  // Collapsed on phones.
  const [open, setOpen] = useState(!phone)
  const tray = useRef<HTMLElement>(null)
  useRoomForTray(tray)
  const summary = summarise(uploads)
  const working = jobs.filter(isOpenJob).length
  const hide = () => {
    clearUploads()
    for (const { id } of jobs) mutate(queries, removingJob(queries), id)
    onHide()
  }
  return (
    <section ref={tray} className={styles.tray} aria-label={t('upload.region')} data-part="tray">
      <header className="row gap-2 pad-end-2">
        <h2 className={styles.title}>{titleOf(summary, { unfinished: unfinished.length, jobs: jobs.length, working })}</h2>
        <SpeedText />
        <IconButton
          size="small"
          label={open ? t('upload.collapse') : t('upload.expand')}
          icon={open ? <ChevronDown size={18} /> : <ChevronUp size={18} />}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
        {summary.open === 0 && working === 0 && <IconButton size="small" label={t('upload.hide')} icon={<X size={18} />} onClick={hide} />}
      </header>
      {summary.open > 0 && (!open || summary.count > 1) && (
        <Progress label={t('upload.progress-all')} value={summary.bytes === 0 ? null : summary.sent / summary.bytes} />
      )}
      {!open && summary.open === 0 && working > 0 && (
        <Progress label={t('job.title.active', { count: working })} value={progressOf(jobs)} />
      )}
      {open && jobs.length > 0 && <JobList jobs={jobs} />}
      {uploads.length > 0 && <Limit />}
      {open && owner !== null && unfinished.length > 0 && <UnfinishedList owner={owner} unfinished={unfinished} />}
      {open && uploads.length > 0 && <UploadList uploads={uploads} />}
      {open && (summary.open > 1 || summary.stopped > 1) && <TrayActions summary={summary} />}
    </section>
  )
}

/** Says that uploads are split because a proxy rejects larger requests. */
function Limit() {
  const bytes = useBodyLimit()
  return (
    <p role="status" className={bytes === null ? 'sr-only' : styles.limit}>
      {bytes !== null && (
        <>
          <Info size={16} strokeWidth={1.75} aria-hidden />
          {t('upload.limit', { size: formatBytes(bytes) })}
        </>
      )}
    </p>
  )
}

/** Actions for all uploads. */
function TrayActions({ summary: { open, paused, stopped } }: { summary: ReturnType<typeof summarise> }) {
  return (
    <footer className="flex wrap gap-2 justify-end pad-end-2">
      {stopped > 1 && <Button label={t('upload.retry-all')} size="small" variant="quiet" onClick={retryUploads} />}
      {open > 1 && paused > 0 && <Button label={t('upload.resume-all')} size="small" variant="quiet" onClick={resumeUploads} />}
      {open > 1 && paused < open && <Button label={t('upload.pause-all')} size="small" variant="quiet" onClick={pauseUploads} />}
      {open > 1 && <Button label={t('upload.cancel-all')} size="small" variant="quiet" onClick={cancelUploads} />}
    </footer>
  )
}

/** Reserves space for the panel in the layout (`--tray`). */
function useRoomForTray(tray: { current: HTMLElement | null }): void {
  useEffect(() => {
    const element = tray.current
    if (element === null) return
    const root = document.documentElement
    const observer = new ResizeObserver(() => root.style.setProperty('--tray', `${element.offsetHeight}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      root.style.removeProperty('--tray')
    }
  }, [tray])
}

function SpeedText() {
  const speed = useUploads((state) => state.speed)
  const remaining = useUploads((state) => state.remaining)
  if (speed <= 0) return null
  return (
    <p className="muted text-caption nowrap">
      <bdi>{t('upload.speed', { speed: formatBytes(speed) })}</bdi>
      {remaining !== null && <bdi> · {t('upload.left', { time: formatDuration(remaining) })}</bdi>}
    </p>
  )
}

function titleOf(
  { open, paused, done, failed, count }: ReturnType<typeof summarise>,
  { unfinished, jobs, working }: { unfinished: number; jobs: number; working: number },
): string {
  if (count === 0 && jobs > 0) return working > 0 ? t('job.title.active', { count: working }) : t('job.title.ended')
  if (count === 0) return t('upload.title.unfinished', { count: unfinished })
  if (open > 0) return open === paused ? t('upload.title.paused', { done, count }) : t('upload.title.active', { done, count })
  if (failed > 0) return t('upload.title.failed', { count: failed })
  return done > 0 ? t('upload.title.done', { count: done }) : t('upload.title.stopped')
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import type { Job } from '../../../shared/contract/jobs.ts'
import { nameOf, parseFilePath } from '../../../shared/file-path.ts'
import { failureOf, isOpenJob, removingJob } from '../../data/jobs.ts'
import { formatBytes, formatDuration, formatNumber } from '../../i18n/format.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { classes } from '../../ui/classes.ts'
import styles from './upload-tray.module.css'

/** Background jobs with progress, a cancel button and their result. */
export function JobList({ jobs }: { jobs: readonly Job[] }) {
  return (
    <ul className={styles.jobs}>
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} />
      ))}
    </ul>
  )
}

function JobRow({ job }: { job: Job }) {
  const remove = useMutation(removingJob(useQueryClient()))
  const open = isOpenJob(job)
  const name = nameOfJob(job)
  const { leftOut, failed, total, done } = job
  return (
    <li className={styles.job} data-state={job.state === 'interrupted' ? 'failed' : job.state === 'running' ? 'active' : job.state}>
      <StateIcon job={job} />
      <div className={styles.words}>
        <p className={classes(styles.name, 'truncated')} title={name}>
          <bdi>{name}</bdi>
        </p>
        <p className={styles.said} role={open ? undefined : 'status'}>
          {detailOf(job)}
        </p>
        {job.state === 'running' && (
          <Progress label={t('job.progress', { name })} value={total === null || total === 0 ? null : done / total} />
        )}
        {leftOut.count > 0 && (
          <details className={styles.leftOut}>
            <summary>{t('job.left-out', { count: leftOut.count })}</summary>
            <ul>
              {leftOut.first.map(({ name: left, reason }, at) => (
                <li key={at}>
                  <bdi>{displayName(left)}</bdi>: {t(`job.left-out.${reason}`)}
                </li>
              ))}
            </ul>
          </details>
        )}
        {failed.count > 0 && (
          <details className={styles.leftOut}>
            <summary>{failureTitle(job)}</summary>
            <ul>
              {failed.first.map(({ path, error }) => (
                <li key={path}>
                  <bdi>{displayName(nameOf(parseFilePath(path)))}</bdi>: {errorText(failureOf(error))}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <IconButton
        size="small"
        label={t(open ? 'job.cancel' : 'job.dismiss', { name })}
        icon={<X size={16} />}
        onClick={() => remove.mutate(job.id)}
      />
    </li>
  )
}

function StateIcon({ job: { state } }: { job: Job }) {
  const look = { size: 18, strokeWidth: 1.75, 'aria-hidden': true, className: styles.icon }
  if (state === 'done') return <CircleCheck {...look} />
  return state === 'failed' || state === 'interrupted' ? <CircleAlert {...look} /> : <span className={styles.dot} aria-hidden />
}

function nameOfJob({ kind, name }: Job): string {
  if (kind === 'empty-trash') return t('trash.empty')
  if (kind === 'undo') return t('action.undo')
  return kind === 'rewind' ? t('rewind.submit') : displayName(name)
}

function failureTitle({ kind, failed: { count, first } }: Job): string {
  const name = displayName(nameOf(parseFilePath(first[0]?.path ?? '/')))
  if (kind === 'undo' || kind === 'rewind') return t('undo.failed', { count, name })
  const operation = kind === 'empty-trash' ? 'delete' : kind === 'move' ? 'move' : 'copy'
  return t(`files.${operation}.failed`, { count, name })
}

function resultOf(kind: Job['kind'], count: number): string {
  if (kind === 'pack') return t('job.pack')
  if (kind === 'restore-snapshot') return t('job.restore-snapshot')
  if (kind === 'undo' || kind === 'rewind') return t('undo.changes', { count })
  return kind === 'empty-trash' ? t('files.delete.done', { count }) : t(`job.${kind}`, { count })
}

function detailOf({ state, kind, done, total, speed, items, error }: Job): string {
  if (state === 'waiting') return t('job.waiting')
  if (state === 'interrupted') return t('job.interrupted')
  if (state === 'failed') return error === null ? t('error.unexpected') : errorText(failureOf(error))
  if (state === 'done') return resultOf(kind, items)
  if (total === null) return t('job.reading')
  if (kind === 'undo' || kind === 'rewind') return `${formatNumber(done)} / ${formatNumber(total)}`
  const parts = [t('job.read', { done: formatBytes(done), total: formatBytes(total) })]
  if (speed > 0) parts.push(t('upload.speed', { speed: formatBytes(speed) }))
  if (speed > 0 && done < total) parts.push(t('upload.left', { time: formatDuration((total - done) / speed) }))
  return parts.join(' · ')
}

import type { OperationKind, Undone, UndoOutcome } from '../../../shared/contract/operations.ts'
import type { Job } from '../../../shared/contract/jobs.ts'
import { nameOf, parseFilePath } from '../../../shared/file-path.ts'
import { failureOf } from '../../data/jobs.ts'
import type { NewNotice } from '../../data/notices.ts'
import type { Reverted } from '../../data/operations.ts'
import { errorOutput, errorText, t } from '../../i18n/i18n.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { AppError } from '../../../shared/errors.ts'

export type Call = 'undo' | 'redo'
type Item = Undone['items'][number]

/** Failures that are listed one by one. */
const MOST_LINES = 100

/**
 * What a notice says of what was taken back or done again.
 * @param what the gesture in words, if it is known
 * @returns null for a job that was cancelled, which the user knows about
 */
export function noticeOf(call: Call, reverted: Reverted, what: string | null): NewNotice | null {
  if ('job' in reverted) return noticeOfJob(call, reverted.job)
  const done = reverted.items.filter(({ outcome }) => outcome === 'done')
  const failed = reverted.items.filter(({ outcome }) => outcome !== 'done')
  const [first] = failed
  if (first === undefined)
    return { tone: 'success', text: call === 'redo' && what !== null ? t('redo.done', { what }) : doneText(call, done) }
  const reason = reasonOf(first)
  const detail = done.length === 0 ? reason : `${reason} ${doneText(call, done)}.`
  return { tone: 'error', text: failedText(failed), detail, ...(failed.length > 1 && { output: lines(failed) }) }
}

function noticeOfJob(call: Call, job: Job | null): NewNotice | null {
  if (job === null || job.state === 'cancelled') return null
  const done = t(`${call}.done`, { what: t('undo.changes', { count: job.items }) })
  if (job.state === 'done') return { tone: 'success', text: done }
  const [first] = job.failed.first
  const text = t('undo.failed', { count: Math.max(1, job.failed.count), name: first === undefined ? '' : nameIn(first.path) })
  if (job.state === 'interrupted') return { tone: 'error', text, detail: t('job.interrupted') }
  const failure = job.error && failureOf(job.error)
  return { tone: 'error', text, detail: errorText(failure), output: errorOutput(failure) }
}

function doneText(call: Call, done: readonly Item[]): string {
  const [first] = done
  const kinds = new Set(done.map(({ kind }) => endOf(kind)))
  const about = { count: done.length, name: nameIn(first?.path ?? null) }
  if (first === undefined) return t('files.undo.done')
  if (kinds.size > 1) return t(`${call}.done`, { what: t('undo.changes', about) })
  return t(endOf(first.kind), about)
}

/** What taking back a change of this kind comes to. */
function endOf(kind: OperationKind) {
  if (kind === 'delete') return 'files.undo.restored'
  if (kind === 'move') return 'undo.done.move'
  return kind === 'replace' ? 'undo.done.replace' : 'files.delete.done.trash'
}

function failedText(failed: readonly Item[]): string {
  const key = failed.every(({ kind }) => kind === 'delete') ? 'files.undo.failed' : 'undo.failed'
  return t(key, { count: failed.length, name: nameIn(failed[0]?.path ?? null) })
}

function reasonOf({ outcome, path }: Item): string {
  return outcome === 'changed' ? t('undo.changed') : errorText(errorOf(outcome, path))
}

function errorOf(outcome: UndoOutcome, path: string | null): AppError {
  if (outcome === 'conflict') return new AppError('already-exists', { path: parseFilePath(path ?? '/') })
  return outcome === 'gone' ? new AppError('not-found', {}) : new AppError('forbidden', { right: 'create' })
}

function lines(failed: readonly Item[]): string {
  const all = failed.slice(0, MOST_LINES).map((item) => `${item.path === null ? '…' : displayName(item.path)}: ${reasonOf(item)}`)
  return [...all, ...(failed.length > MOST_LINES ? ['…'] : [])].join('\n')
}

/** Empty for what is hidden from the user by now. */
function nameIn(path: string | null): string {
  return path === null ? '' : displayName(nameOf(parseFilePath(path)))
}

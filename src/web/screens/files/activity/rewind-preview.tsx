import { ArchiveRestore, CircleAlert, FileClock, FolderInput, type LucideIcon, RotateCw, Trash2 } from 'lucide-react'
import type { RewindChange, UndoOutcome } from '../../../../shared/contract/operations.ts'
import { type FilePath, nameOf, parentOf } from '../../../../shared/file-path.ts'
import type { PlannedChange } from '../../../data/rewind.ts'
import { formatDateTime, formatNumber } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { Loading } from '../../../widgets/loading.tsx'
import { shownName } from './gesture-words.ts'
import styles from './rewind.module.css'

type ChangeKind = RewindChange['change']
type Counts = Readonly<Record<ChangeKind | 'problems', number>>

const KINDS: readonly ChangeKind[] = ['remove', 'restore', 'move', 'content']
const ICONS: Readonly<Record<ChangeKind, LucideIcon>> = {
  remove: Trash2,
  restore: ArchiveRestore,
  move: FolderInput,
  content: FileClock,
}

/** What would be changed. */
export function countOf({ remove, restore, move, content }: Counts): number {
  return remove + restore + move + content
}

export interface RewindPreviewProps {
  /** The chosen moment. */
  to: string
  plan: { readonly changes: readonly PlannedChange[]; readonly counts: Counts; readonly knownSince: string } | undefined
  /** The plan is of the moment that was chosen before. */
  stale: boolean
  error: unknown
  onRetry: () => void
}

/** How much would be changed, the first changes, and what cannot be done. */
export function RewindPreview({ to, plan, stale, error, onRetry }: RewindPreviewProps) {
  if (error !== null) {
    return (
      <div role="alert" className="grid gap-4 items-start">
        <p className="text-small">{errorText(error)}</p>
        <Button size="small" icon={RotateCw} label={t('action.retry')} onClick={onRetry} />
      </div>
    )
  }
  if (plan === undefined) return <Loading height="120px" size={24} tone="faint" />
  const { changes, counts, knownSince } = plan
  const total = countOf(counts)
  const hidden = total - changes.filter(({ problem }) => problem === null).length
  return (
    <div className={styles.plan} aria-busy={stale}>
      <div role="status" className="grid gap-4">
        {total === 0 && counts.problems === 0 ? (
          <p className="muted text-small">{t('rewind.nothing')}</p>
        ) : (
          <ul className={styles.counts}>
            {KINDS.filter((kind) => counts[kind] > 0).map((kind) => (
              <Count key={kind} kind={kind} count={counts[kind]} />
            ))}
            {counts.problems > 0 && <Count kind="problems" count={counts.problems} />}
          </ul>
        )}
        {Date.parse(to) < Date.parse(knownSince) && (
          <p className={styles.known}>{t('rewind.known-since', { when: formatDateTime(new Date(knownSince)) })}</p>
        )}
      </div>
      {changes.length > 0 && (
        <ul className={styles.changes} aria-label={t('rewind.changes')}>
          {changes.map((change, index) => (
            <PlannedRow key={index} change={change} />
          ))}
        </ul>
      )}
      {hidden > 0 && <p className="faint text-caption">{t('history.more', { count: hidden })}</p>}
    </div>
  )
}

function Count({ kind, count }: { kind: ChangeKind | 'problems'; count: number }) {
  const Icon = kind === 'problems' ? CircleAlert : ICONS[kind]
  return (
    <li className={styles.count} data-problem={kind === 'problems' || undefined}>
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      <span>{kind === 'problems' ? t('rewind.problems') : t(`rewind.change.${kind}`)}</span>
      <span className={styles.number}>{formatNumber(count)}</span>
    </li>
  )
}

function PlannedRow({ change: { change, path, to, problem } }: { change: PlannedChange }) {
  const Icon = problem === null ? ICONS[change] : CircleAlert
  const folder = parentOf(path)
  return (
    <li className={styles.change} data-problem={problem !== null || undefined}>
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      <span className="grid gap-1 shrinkable break-anywhere">
        <span className="text-small">
          <bdi>{shownName(path)}</bdi>
        </span>
        <span className={problem === null ? 'faint text-caption' : styles.why}>
          {problem === null ? whatOf(change, to) : problemOf(problem)}
          {' · '}
          <bdi>{t('search.in', { folder: shownFolder(folder) })}</bdi>
        </span>
      </span>
    </li>
  )
}

function whatOf(change: ChangeKind, to: FilePath | null): string {
  const what = t(`rewind.change.${change}`)
  return to === null ? what : `${what}: ${isolated(displayName(to.slice(1)))}`
}

function problemOf(problem: UndoOutcome): string {
  return problem === 'done' ? t('history.undone') : t(`rewind.problem.${problem}`)
}

function shownFolder(path: FilePath): string {
  return nameOf(path) === '' ? t('files.root') : isolated(displayName(path.slice(1)))
}

/** Keeps its own direction within a sentence. */
function isolated(text: string): string {
  return `\u2068${text}\u2069`
}

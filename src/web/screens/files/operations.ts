import type { QueryClient } from '@tanstack/react-query'
import type { Job } from '../../../shared/contract/jobs.ts'
import { type FilePath, joinPath, nameOf, parentOf, parseFilePath, ROOT } from '../../../shared/file-path.ts'
import { findTransferConflicts, isIntoItself, planTransfers } from '../../data/transfer-conflicts.ts'
import { type Clipboard, clearClipboard } from '../../data/clipboard.ts'
import {
  startTransferJob,
  makeFile,
  makeFolder,
  renameEntry,
  type OperationResult,
  type Transfer,
  transferEntries,
} from '../../data/files.ts'
import { resourceQuery, readFolder, nameChecker } from '../../data/folders.ts'
import { failureOf } from '../../data/jobs.ts'
import { type NewNotice, type NoticeAction, notify } from '../../data/notices.ts'
import { ask } from '../../data/prompts.ts'
import { type Gesture, withGesture } from '../../data/undo.ts'
import type { ConflictAnswer } from '../../data/uploads/send.ts'
import { errorOutput, errorText, t } from '../../i18n/i18n.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { knownEntries } from './known-entries.ts'
import { offerUndo } from './offer-undo.ts'
import { report } from './report.ts'
import { runWithNotice } from './run-with-notice.ts'

/** Smaller copies finish before a progress display is useful. */
const LONG_BYTES = 64 * 1024 ** 2

/** Asks for a name and creates a folder. @returns its path, or null if nothing was created */
export async function askNewFolder(queries: QueryClient, folder: FilePath): Promise<FilePath | null> {
  const name = await ask('new-folder', { taken: nameChecker(queries, folder) })
  return name === null ? null : orNotify(() => createEntry(joinPath(folder, name), (path, { group }) => makeFolder(queries, path, group)))
}

export async function askNewFile(queries: QueryClient, folder: FilePath): Promise<FilePath | null> {
  const name = await ask('new-file', { taken: nameChecker(queries, folder) })
  return name === null ? null : orNotify(() => createEntry(joinPath(folder, name), (path, { group }) => makeFile(queries, path, group)))
}

export interface RenameOptions {
  /** Called with the new name before the request, so that the row can be followed. */
  readonly onNamed: (name: string) => void
  /** Called with the new path before the notice with Undo, which is shown only with this. */
  readonly onRenamed: (to: FilePath) => void
}

/** @returns the new path, or null if nothing was renamed */
export async function askRename(
  queries: QueryClient,
  entry: { path: FilePath; isDir: boolean },
  options?: RenameOptions,
): Promise<FilePath | null> {
  const { path, isDir } = entry
  const folder = parentOf(path)
  const taken = nameChecker(queries, folder)
  const name = await ask('rename', { name: nameOf(path), isDir, taken: (typed) => typed !== nameOf(path) && taken(typed) })
  if (name === null) return null
  const to = joinPath(folder, name)
  const work = async (_: FilePath, gesture: Gesture) => {
    await renameEntry(queries, path, name, gesture.group)
    if (options === undefined) return
    options.onRenamed(to)
    notify({ tone: 'success', text: t('files.rename.done', { name: displayName(name) }), actions: offerUndo(gesture, 'rename') })
  }
  options?.onNamed(name)
  return orNotify(() => createEntry(to, work))
}

/** A transfer that has been started. */
export interface StartedTransfer {
  /** Whether it succeeded; long transfers take a while. */
  readonly arrived: Promise<boolean>
}

export interface TransferRequest {
  readonly kind: 'copy' | 'move'
  readonly sources: readonly FilePath[]
  readonly into: FilePath
  /** Shows the result; offered in the notice. */
  readonly onShow?: ((name: string) => void) | undefined
}

/**
 * Copies or moves into a folder, asking about every name conflict first.
 * @param options.onTop opens the dialog on top of the current one
 * @returns null if nothing is transferred
 */
export async function transfer(
  queries: QueryClient,
  order: TransferRequest,
  options?: { onTop: boolean },
): Promise<StartedTransfer | null> {
  const { into } = order
  const sources = order.kind === 'move' ? order.sources.filter((from) => parentOf(from) !== into) : order.sources
  if (sources.length === 0) return null
  if (isIntoItself(sources, into)) {
    notify({ tone: 'error', text: t('files.into-itself'), reportable: false })
    return null
  }
  const answers = await orNotify(() => answersFor(queries, { sources, into }, options))
  if (answers === null) return null
  const transfers = planTransfers(sources, into, answers)
  if (transfers.length === 0) return null
  const going = transfers.map(({ from }) => from)
  const { onShow } = order
  const [first] = transfers
  const show = onShow && first ? [{ label: t('action.show'), run: () => onShow(nameOf(first.to)) }] : []
  const actions = (gesture: Gesture) => [...show, ...offerUndo(gesture, order.kind === 'copy' ? 'delete' : 'rename')]
  if (isLongTransfer(queries, going)) return orNotify(() => transferInJob(queries, order.kind, transfers, actions))
  const work = ({ group }: Gesture) => transferEntries(queries, order.kind, transfers, group)
  const more = ({ done }: OperationResult, gesture: Gesture) => (done.length === 0 ? {} : { actions: actions(gesture) })
  const { done } = await runWithNotice(order.kind, going, work, more)
  return done.length > 0 ? { arrived: Promise.resolve(true) } : null
}

/** As a job, with progress in the upload panel; the notice only reports the result. */
async function transferInJob(
  queries: QueryClient,
  kind: 'copy' | 'move',
  transfers: readonly Transfer[],
  actions: (gesture: Gesture) => readonly NoticeAction[],
): Promise<StartedTransfer> {
  const started = Promise.withResolvers<StartedTransfer>()
  const arrived = withGesture(async (gesture) => {
    const { ended } = await startTransferJob(queries, kind, transfers, gesture.group)
    started.resolve({ arrived })
    const job = await ended
    const notice = job && noticeOfJob(kind, job, transfers, () => actions(gesture))
    if (notice) notify(notice)
    return (job?.items ?? 0) > 0
  })
  arrived.catch(started.reject)
  return started.promise
}

/** @returns null for a cancelled job, which the user knows about */
function noticeOfJob(
  kind: 'copy' | 'move',
  { state, items, failed, error }: Job,
  transfers: readonly Transfer[],
  actions: () => readonly NoticeAction[],
): NewNotice | null {
  if (state === 'cancelled') return null
  if (state === 'done') return { tone: 'success', text: t(`files.${kind}.done`, { count: items }), actions: actions() }
  const [first] = failed.first
  const name = displayName(first === undefined ? nameOf(transfers[0]?.from ?? ROOT) : nameOf(parseFilePath(first.path)))
  const text = t(`files.${kind}.failed`, { count: failed.count === 0 ? transfers.length : failed.count, name })
  if (state === 'interrupted') return { tone: 'error', text, detail: t('job.interrupted') }
  const failure = error && failureOf(error)
  return { tone: 'error', text, detail: errorText(failure), output: errorOutput(failure) }
}

/** Folders of unknown size, and large amounts. */
function isLongTransfer(queries: QueryClient, sources: readonly FilePath[]): boolean {
  let bytes = 0
  for (const entry of knownEntries(queries, sources)) {
    if (entry === null || entry.isDir) return true
    bytes += entry.size
  }
  return bytes >= LONG_BYTES
}

/**
 * Pastes the clipboard: cut entries are moved and the clipboard is cleared (a no-op in their own folder); copied entries are copied, with a new
 * name in their own folder.
 */
export async function paste(queries: QueryClient, held: Clipboard, into: FilePath): Promise<void> {
  const sources = held.items.map(({ from }) => from)
  const going = await transfer(queries, { kind: held.key === 'x' ? 'move' : 'copy', sources, into })
  if (held.key === 'x' && (held.path === into || (await going?.arrived) === true)) clearClipboard(held)
}

async function answersFor(
  queries: QueryClient,
  { sources, into }: { sources: readonly FilePath[]; into: FilePath },
  options?: { onTop: boolean },
): Promise<ReadonlyMap<FilePath, ConflictAnswer> | null> {
  const target = await readFolder(queries, into)
  const [first = into] = sources
  const home = queries.getQueryData(resourceQuery(parentOf(first)).queryKey)
  const conflicts = target === null ? [] : findTransferConflicts(sources, target, home?.kind === 'folder' ? home : null)
  return conflicts.length === 0 ? new Map() : ask('transfer-conflict', { conflicts }, options)
}

async function createEntry(path: FilePath, work: (path: FilePath, gesture: Gesture) => Promise<void>): Promise<FilePath> {
  await withGesture((gesture) => work(path, gesture))
  return path
}

/** Shows an error as a notice and returns null. */
async function orNotify<Value>(work: () => Promise<Value>): Promise<Value | null> {
  try {
    return await work()
  } catch (error) {
    report(error)
    return null
  }
}

import { type FilePath, nameOf, ROOT } from '../../../shared/file-path.ts'
import type { OperationResult } from '../../data/files.ts'
import { changeNotice, type NewNotice, notify } from '../../data/notices.ts'
import { type Gesture, withGesture } from '../../data/undo.ts'
import { errorOutput, errorText, t } from '../../i18n/i18n.tsx'
import { displayName } from '../../widgets/display-name.ts'

export type Operation = 'delete' | 'copy' | 'move' | 'undo'

/**
 * Runs a gesture. Shows a notice while it runs, then its result: success briefly, failures until closed.
 * @param more what the notice of the result says instead or in addition
 */
export async function runWithNotice<Result extends OperationResult>(
  operation: Exclude<Operation, 'undo'>,
  paths: readonly FilePath[],
  work: () => Promise<Result>,
  more: (result: Result, gesture: Gesture) => Partial<NewNotice>,
): Promise<Result> {
  return withGesture((gesture) => runInNotice(operation, paths, work, (result) => more(result, gesture)))
}

/** The same for what is no gesture of its own. */
export async function runInNotice<Result extends OperationResult>(
  operation: Operation,
  paths: readonly FilePath[],
  work: () => Promise<Result>,
  more: (result: Result) => Partial<NewNotice> = () => ({}),
): Promise<Result> {
  const about = { count: paths.length, name: displayName(nameOf(paths[0] ?? ROOT)) }
  const notice = notify({ tone: 'working', text: t(`files.${operation}.working`, about) })
  const result = await work()
  changeNotice(notice, { ...noticeOf(operation, result), ...more(result) })
  return result
}

/** The number of successes, or the first failure. */
export function noticeOf(operation: Operation, { done, failed }: OperationResult): NewNotice {
  const [first] = failed
  if (first === undefined) return { tone: 'success', text: t(`files.${operation}.done`, { count: done.length }) }
  const text = t(`files.${operation}.failed`, { count: failed.length, name: displayName(nameOf(first.path)) })
  return { tone: 'error', text, detail: errorText(first.error), output: errorOutput(first.error) }
}

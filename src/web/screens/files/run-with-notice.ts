import { type FilePath, nameOf, ROOT } from '../../../shared/file-path.ts'
import type { OperationResult } from '../../data/files.ts'
import { changeNotice, type NewNotice, notify } from '../../data/notices.ts'
import { type Gesture, withGesture } from '../../data/undo.ts'
import { errorOutput, errorText, t } from '../../i18n/i18n.tsx'
import { displayName } from '../../widgets/display-name.ts'

type Operation = 'delete' | 'copy' | 'move'

/**
 * Runs a gesture. Shows a notice while it runs, then its result: success briefly, failures until closed.
 * @param more what the notice of the result says instead or in addition
 */
export async function runWithNotice<Result extends OperationResult>(
  operation: Operation,
  paths: readonly FilePath[],
  work: (gesture: Gesture) => Promise<Result>,
  more: (result: Result, gesture: Gesture) => Partial<NewNotice>,
): Promise<Result> {
  const about = { count: paths.length, name: displayName(nameOf(paths[0] ?? ROOT)) }
  const run = async (gesture: Gesture) => {
    const notice = notify({ tone: 'working', text: t(`files.${operation}.working`, about) })
    const result = await work(gesture)
    changeNotice(notice, { ...noticeOf(operation, result), ...more(result, gesture) })
    return result
  }
  return withGesture(run, ({ done }) => done.length > 0)
}

/** The number of successes, or the first failure. */
function noticeOf(operation: Operation, { done, failed }: OperationResult): NewNotice {
  const [first] = failed
  if (first === undefined) return { tone: 'success', text: t(`files.${operation}.done`, { count: done.length }) }
  const text = t(`files.${operation}.failed`, { count: failed.length, name: displayName(nameOf(first.path)) })
  return { tone: 'error', text, detail: errorText(first.error), output: errorOutput(first.error) }
}

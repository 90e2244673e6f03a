import { notify } from '../../data/notices.ts'
import { errorOutput, errorText } from '../../i18n/i18n.tsx'

/** Shows an error that has no other handler. */
export function report(error: unknown): void {
  notify({ tone: 'error', text: errorText(error), output: errorOutput(error) })
}

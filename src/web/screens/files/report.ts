import { notify } from '../../data/notices.ts'
import { errorOutput, errorText } from '../../i18n/i18n.tsx'

/** Says what failed, where nobody is left to answer it. */
export function report(error: unknown): void {
  notify({ tone: 'error', text: errorText(error), output: errorOutput(error) })
}

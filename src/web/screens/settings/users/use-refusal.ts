import { useState } from 'react'
import { isAppError } from '../../../../shared/errors.ts'
import { notify } from '../../../data/notices.ts'
import { errorText } from '../../../i18n/i18n.tsx'

/** What the server refused of a form: issues for its fields, and a notice for everything that belongs to none. */
export function useRefusal() {
  const [issues, setIssues] = useState<readonly string[]>([])
  return {
    issues,
    forget: () => setIssues([]),
    refused(error: unknown): void {
      if (isAppError(error, 'invalid-input')) return setIssues(error.detail.issues)
      if (isAppError(error, 'name-taken')) return setIssues(['username: taken'])
      setIssues([])
      notify({ tone: 'error', text: errorText(error) })
    },
  }
}

import { useState } from 'react'
import { isAppError } from '../../../../shared/errors.ts'
import { notify } from '../../../data/notices.ts'
import { errorText } from '../../../i18n/i18n.tsx'

/** Validation errors of the server for a form's fields, and a notice for all others. */
export function useFormErrors() {
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

import { isAppError } from '../../shared/errors.ts'
import { ask } from './prompts.ts'

/** Field of sensitive calls: the caller's own password. */
export interface ReauthenticationFields {
  current_password?: string
}

declare module './prompts.ts' {
  interface PromptKinds {
    /** Asks for the current password and calls `attempt` with it; answered when it succeeds. Errors of `attempt` keep the dialog open. */
    reauthenticate: { props: { attempt: (currentPassword: string) => Promise<void> }; answer: true }
  }
}

/**
 * Runs an operation that may need reauthentication: first without a password and, if the server requires one, again with the current password. The
 * dialog handles a wrong password; other errors are thrown.
 * @returns null if the dialog was dismissed and nothing was done
 */
export async function withReauthentication<T>(operation: (proof: ReauthenticationFields) => Promise<T>): Promise<T | null> {
  try {
    return await operation({})
  } catch (error) {
    if (!isAppError(error, 'proof-needed')) throw error
  }
  let last: Promise<T> | null = null
  const attempt = async (current_password: string) => {
    last = operation({ current_password })
    await last.catch((error: unknown) => {
      if (canRetry(error)) throw error
    })
  }
  // May be opened from within another dialog.
  const answered = await ask('reauthenticate', { attempt }, { onTop: true })
  return finish(last, answered !== null)
}

/** An attempt that was pending when the dialog was dismissed still counts. */
async function finish<T>(last: Promise<T> | null, answered: boolean): Promise<T | null> {
  try {
    return await last
  } catch (error) {
    if (answered || !canRetry(error)) throw error
    return null
  }
}

/** Errors that another password or another attempt can resolve. */
function canRetry(error: unknown): boolean {
  return isAppError(error, 'proof-needed') || isAppError(error, 'too-many-requests') || isAppError(error, 'offline')
}

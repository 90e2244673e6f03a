import { isAppError } from '../../shared/errors.ts'
import { ask } from './prompts.ts'

/** What a sensitive call may carry: the caller's own password. */
export interface ReauthenticationFields {
  current_password?: string
}

declare module './prompts.ts' {
  interface PromptKinds {
    /** Asks for the current password and tries it; answered once `attempt` is through. What `attempt` throws can be mended by another try. */
    reauthenticate: { props: { attempt: (currentPassword: string) => Promise<void> }; answer: true }
  }
}

/**
 * Does something that may need a fresh proof of who asks: first without one, and where the server wants it, again with the current password.
 * A wrong one is the dialog's business; every other failure of `deed` is the caller's.
 * @returns null when the question was closed without an answer, and nothing was done
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
  // It may be asked for in the middle of another dialog.
  const answered = await ask('reauthenticate', { attempt }, { onTop: true })
  return finish(last, answered !== null)
}

/** An attempt that was under way when the dialog was closed has its effect all the same. */
async function finish<T>(last: Promise<T> | null, answered: boolean): Promise<T | null> {
  try {
    return await last
  } catch (error) {
    if (answered || !canRetry(error)) throw error
    return null
  }
}

/** Another password, another minute or another try may help. */
function canRetry(error: unknown): boolean {
  return isAppError(error, 'proof-needed') || isAppError(error, 'too-many-requests') || isAppError(error, 'offline')
}

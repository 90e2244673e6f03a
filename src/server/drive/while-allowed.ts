import type { DriveContext } from './context.ts'

export interface WorkGuard {
  readonly signal?: AbortSignal | undefined
  /** Fails if the work must stop; called whenever the access has changed. */
  readonly check: () => void
}

/** For work that copies block by block: aborts it within a block when access has ended, and fails with the reason. */
export async function whileAllowed<T>(
  context: DriveContext,
  { signal, check }: WorkGuard,
  work: (options: { signal: AbortSignal; onBlock: () => void }) => Promise<T>,
): Promise<T> {
  const denied = new AbortController()
  let failure: { error: unknown } | null = null
  let checked = context.access
  let isChecking = false

  async function recheck(): Promise<void> {
    isChecking = true
    try {
      await context.renew()
      if (context.access !== checked) check()
      checked = context.access
    } catch (error) {
      failure = { error }
      denied.abort(error)
    } finally {
      isChecking = false
    }
  }

  try {
    const both = signal === undefined ? denied.signal : AbortSignal.any([signal, denied.signal])
    return await work({ signal: both, onBlock: () => void (isChecking || recheck()) })
  } catch (error) {
    throw reasonOf(failure) ?? error
  }
}

/** The compiler does not see that a closure has set the variable. */
function reasonOf(failure: { error: unknown } | null): unknown {
  return failure?.error
}

import type { DriveContext } from './context.ts'

export interface Guarding {
  readonly signal?: AbortSignal | undefined
  /** Fails where the work must not go on; asked again whenever access may have changed. */
  readonly check: () => void
}

/** For work that goes on by itself, block by block: it is called off within a block when access has ended, and fails with the reason. */
export async function whileAllowed<T>(
  context: DriveContext,
  { signal, check }: Guarding,
  work: (options: { signal: AbortSignal; onBlock: () => void }) => Promise<T>,
): Promise<T> {
  const denied = new AbortController()
  let failure: { error: unknown } | null = null
  let checked = context.access
  let isLooking = false

  async function look(): Promise<void> {
    isLooking = true
    try {
      await context.renew()
      if (context.access !== checked) check()
      checked = context.access
    } catch (error) {
      failure = { error }
      denied.abort(error)
    } finally {
      isLooking = false
    }
  }

  try {
    const both = signal === undefined ? denied.signal : AbortSignal.any([signal, denied.signal])
    return await work({ signal: both, onBlock: () => void (isLooking || look()) })
  } catch (error) {
    throw reasonOf(failure) ?? error
  }
}

/** What a closure has set is unknown to the compiler; a parameter is not. */
function reasonOf(failure: { error: unknown } | null): unknown {
  return failure?.error
}

import { fail } from '../../shared/errors.ts'
import type { Access } from './access.ts'

/** What one person may do while something of theirs goes on: a rule made, a right taken or a session ended counts from the next step. */
export interface LiveAccess {
  /** When it began. */
  readonly first: Access
  /** As of the last `renew`. */
  readonly now: Access
  /**
   * Brings `now` up to date; undefined where it is, without waiting. Fails as `Access.latest` does, and with `access-changed` where the person's
   * folder is another one: paths would mean something else.
   */
  renew(): Promise<void> | undefined
}

export function openLiveAccess(first: Access): LiveAccess {
  const { latest } = first
  let now = first

  function take(access: Access): void {
    if (access.scope !== first.scope || access.start !== first.start) fail('access-changed', {})
    now = access
  }

  return {
    first,
    get now() {
      return now
    },
    renew() {
      const found = latest?.()
      if (found instanceof Promise) return found.then(take)
      if (found !== undefined && found !== now) take(found)
      return undefined
    },
  }
}

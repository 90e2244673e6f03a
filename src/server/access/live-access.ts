import { fail } from '../../shared/errors.ts'
import type { Access } from './access.ts'

/** The current access of one person during longer work: a new rule, a removed right or an ended session counts from the next step. */
export function openLiveAccess(first: Access) {
  const { latest } = first
  /** As it was looked up. */
  let known = first
  let now = first

  function take(access: Access): void {
    if (access.scope !== first.scope || access.start !== first.start) fail('access-changed', {})
    known = access
    // Another Drive that is opened with it looks for later changes too.
    now = latest === undefined ? access : { ...access, latest }
  }

  /**
   * Updates `now`; returns undefined if it is current already. Fails as `Access.latest` does, and with `access-changed` if the person's folder has
   * changed, because paths would then mean something else.
   */
  function renew(): Promise<void> | undefined {
    const found = latest?.()
    if (found instanceof Promise) return found.then(take)
    if (found !== undefined && found !== known) take(found)
    return undefined
  }

  return {
    /** At the start. */
    first,
    /** As of the last `renew`. */
    get now(): Access {
      return now
    },
    renew,
    /** The same without waiting: false where it has to be looked up, which begins then. */
    isCurrent(): boolean {
      const waiting = renew()
      // The next `renew` fails as well.
      waiting?.catch(() => undefined)
      return waiting === undefined
    },
  }
}

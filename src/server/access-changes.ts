import type { AccessChanges, AccessVersion } from './access/latest.ts'
import type { Bus } from './bus/bus.ts'

/** Changes that this server was not told of (an expired link, a lost message from another server) take effect after this long. */
const KEPT_MS = 1000
/** How often to check at most whether another process or server has written to the database, perhaps about access. */
const WRITES_EVERY_MS = 50

/**
 * Counts the access changes that the bus reports. Create it after the services that cache accounts, settings or sessions: their listeners must clear
 * the caches before a listener of this one reads them.
 * @param options.writes a number that changes when another process has written to the database
 */
export function createAccessChanges({ bus, clock, writes }: { bus: Bus; clock: () => Date; writes: () => number }): AccessChanges {
  const listeners = new Set<(userId: number | null) => void>()
  let changes = 0
  // As last seen: a version with an older number only leads to a lookup more.
  let seen = writes()
  const areSeen = (known: number): boolean => (seen = writes()) === known
  const onChange = (userId: number | null): void => {
    changes += 1
    for (const listener of listeners) listener(userId)
  }
  for (const topic of ['user.changed', 'session.changed', 'group.changed'] as const) bus.on(topic, ({ userId }) => onChange(userId))
  for (const topic of ['settings.changed', 'share.changed'] as const) bus.on(topic, () => onChange(null))

  return {
    version: () => ({ changes, writes: seen, at: clock().getTime() }),
    isFresh(version: AccessVersion) {
      if (version.changes !== changes) return false
      const age = Math.abs(clock().getTime() - version.at)
      return age < WRITES_EVERY_MS || (age < KEPT_MS && areSeen(version.writes))
    },
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

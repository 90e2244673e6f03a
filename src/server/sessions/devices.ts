import type { Device } from '../../shared/contract/session.ts'
import type { SessionRow } from './store.ts'

/** One device for each sign-in: its renewals are merged, described as last used. @param rows the most recently used first */
export function devicesFrom(rows: readonly SessionRow[], sessionId: string): Device[] {
  return [...Map.groupBy(rows, ({ family }) => family)].flatMap(([id, [latest, ...older]]) =>
    latest === undefined
      ? []
      : {
          id,
          current: [latest, ...older].some((row) => row.id === sessionId),
          created: latest.proven_at,
          lastSeen: latest.last_seen_at,
          address: latest.ip,
          userAgent: latest.user_agent,
        },
  )
}

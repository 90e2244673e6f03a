import type { AuditEntry } from '../../../../shared/contract/audit.ts'
import { useKnownShares } from '../../../data/shares.ts'
import { useUserNames } from '../../../data/users.ts'

/** Links to the subjects of entries, if they still exist; otherwise null. */
export interface Links {
  ofSubject(entry: Pick<AuditEntry, 'kind' | 'who' | 'subject'>): string | null
  ofPerson(name: string): string | null
}

export function useLinks(): Links {
  const names = useUserNames({ enabled: true })
  const shares = useKnownShares()
  const ids = new Map([...names].map(([id, name]) => [name, id]))
  const ofPerson = (name: string): string | null => (ids.has(name) ? `/settings/users/${ids.get(name)}` : null)
  return {
    ofPerson,
    ofSubject({ kind, who, subject }) {
      if (kind.startsWith('share-')) {
        // An administrator may have changed another user's share.
        const isThere = shares.some(({ path, userID }) => path === subject && (kind !== 'share-created' || names.get(userID) === who))
        return isThere ? '/settings/shares' : null
      }
      if (kind === 'webhooks-changed') return '/settings/global'
      return kind === 'trail-exported' ? null : ofPerson(subject)
    },
  }
}

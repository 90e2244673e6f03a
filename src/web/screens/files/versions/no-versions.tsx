import { History } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { VersionPolicy } from '../../../../shared/contract/versions.ts'
import { t } from '../../../i18n/i18n.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'

export interface NoVersionsProps {
  policy: VersionPolicy
  unknownSnapshots: number
  isEmpty: boolean
}

/** What versions are, and why there are none. */
export function NoVersions({ policy, unknownSnapshots, isEmpty }: NoVersionsProps) {
  const isOff = policy.days === 0
  // Of an empty file nothing is kept, wherever it is.
  const isUnable = !policy.keeps && !isEmpty
  const place = useRef<HTMLDivElement>(null)
  // The last version was deleted, and its button with it.
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.closest<HTMLElement>('[role=dialog]')?.focus()
  }, [])
  return (
    <div ref={place} className="grid">
      <EmptyState
        picture={<History size={64} strokeWidth={1.25} />}
        title={t(isOff ? 'versions.off.title' : 'versions.none.title')}
        text={t(
          unknownSnapshots > 0
            ? 'snapshots.unknown'
            : isOff
              ? 'versions.off.text'
              : isUnable
                ? 'versions.unable.text'
                : 'versions.none.text',
        )}
      />
    </div>
  )
}

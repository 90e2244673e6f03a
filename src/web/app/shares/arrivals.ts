import { useEffect, useRef } from 'react'
import { notify } from '../../data/notices.ts'
import { addressOfShare, CURRENT_SHARE } from '../../data/share-context.ts'
import { useReceivedShares } from '../../data/with-me.ts'
import { t } from '../../i18n/i18n.tsx'
import { displayName } from '../../widgets/display-name.ts'

/** Tells of what is shared with the user while the page is open. */
export function Arrivals(): null {
  const { data } = useReceivedShares()
  const known = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    if (data === undefined) return
    const before = known.current
    known.current = new Set(data.map(({ id }) => id))
    if (before === null) return
    for (const share of data) {
      if (before.has(share.id) || share.id === CURRENT_SHARE) continue
      const name = displayName(share.name === '' ? share.owner : share.name)
      const show = { label: t('action.show'), run: () => location.assign(addressOfShare(share)) }
      notify({ tone: 'info', text: t('with-me.arrived', { owner: displayName(share.owner), name }), actions: [show] })
    }
  }, [data])
  return null
}

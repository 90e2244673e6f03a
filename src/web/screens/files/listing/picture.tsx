import { useState } from 'react'
import { inlineAddress } from '../../../data/inline.ts'
import type { ListedEntry } from '../../../data/listing.ts'
import { useUser } from '../../../data/session.ts'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import { may } from '../actions.ts'
import styles from './picture.module.css'

/** A larger original would cost more than its tile is worth. */
const MAX_ORIGINAL_BYTES = 1.5 * 1024 * 1024

/** What a tile shows: a small image itself, anything else its glyph, and so does an image until it is there and where it does not read. */
export function Picture({ entry }: { entry: ListedEntry }) {
  const { perm } = useUser()
  const [state, setState] = useState<'coming' | 'shown' | 'broken'>('coming')
  const offered = entry.type === 'image' && entry.size > 0 && entry.size <= MAX_ORIGINAL_BYTES && may(perm, 'download')
  return (
    <span className={styles.picture}>
      {state !== 'shown' && <EntryIcon name={entry.name} type={entry.type} isDir={false} isLink={entry.isLink} size={56} />}
      {offered && state !== 'broken' && (
        <img
          className={styles.image}
          src={inlineAddress(entry.path, entry.modified)}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          data-state={state}
          onLoad={() => setState('shown')}
          onError={() => setState('broken')}
        />
      )}
    </span>
  )
}

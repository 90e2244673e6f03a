import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { nameOf } from '../../../shared/file-path.ts'
import { type FavouriteEntry, starring } from '../../data/favourites.ts'
import { t } from '../../i18n/i18n.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { displayName } from '../../widgets/display-name.ts'
import styles from './places.module.css'

/** Favourite toggle. */
export function StarButton({ entry, starred }: { entry: FavouriteEntry; starred: boolean }) {
  const { mutate } = useMutation(starring(useQueryClient()))
  return (
    <IconButton
      label={t('places.star', { name: displayName(nameOf(entry.path)) })}
      data-tooltip={t(starred ? 'files.action.unstar' : 'files.action.star')}
      pressed={starred}
      className={styles.star}
      icon={<Star size={18} strokeWidth={1.75} fill={starred ? 'currentColor' : 'none'} />}
      onClick={() => mutate({ entries: [entry], starred: !starred })}
    />
  )
}

import { Pencil, Trash2 } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import type { SharedLink } from '../../../shared/contract/public.ts'
import type { Listing } from '../../data/listing.ts'
import type { Selection } from '../../data/selection.ts'
import { t } from '../../i18n/i18n.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useEntryOperations } from './use-entry-operations.ts'

interface SharedActionsProps {
  hash: string
  folder: Listing
  selection: Selection
  may: SharedLink['may']
}

/** Actions of a visitor on the selection, besides downloading. */
export function SharedActions({ hash, folder, selection, may }: SharedActionsProps) {
  useSyncExternalStore(selection.subscribe, () => selection.version)
  const { rename, remove } = useEntryOperations(hash, folder, selection)
  return (
    <>
      {may.rename && selection.count === 1 && <IconButton label={t('visit.rename')} icon={Pencil} onClick={rename} />}
      {may.delete && <IconButton label={t('visit.delete')} variant="danger" icon={Trash2} onClick={remove} />}
    </>
  )
}

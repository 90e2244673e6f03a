import { History, Pencil, Trash2 } from 'lucide-react'
import { t } from '../i18n/i18n.tsx'
import { IconButton } from '../ui/icon-button.tsx'

export interface ShareActionsProps {
  /** Name of the link in its address. */
  name: string
  onVisits: () => void
  /** Not for a link that cannot be changed now. */
  onEdit?: (() => void) | undefined
  onEnd: () => void
}

/** Actions of a link, besides copying. */
export function ShareActions({ name, onVisits, onEdit, onEnd }: ShareActionsProps) {
  return (
    <>
      <IconButton size="small" label={t('share.visits-of', { hash: name })} icon={History} iconSize={16} onClick={onVisits} />
      {onEdit && <IconButton size="small" label={t('share.edit-one', { hash: name })} icon={Pencil} iconSize={16} onClick={onEdit} />}
      <IconButton size="small" variant="danger" label={t('share.delete-one', { hash: name })} icon={Trash2} iconSize={16} onClick={onEnd} />
    </>
  )
}

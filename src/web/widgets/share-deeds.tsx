import type { ReactNode } from 'react'
import { History, Link2, Pencil, Trash2 } from 'lucide-react'
import { t } from '../i18n/i18n.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { CopyButton } from './copy-button.tsx'

export interface ShareDeedsProps {
  /** What the link is called in its address. */
  name: string
  /** @returns whether it is in the clipboard */
  copy: () => Promise<boolean>
  onVisits: () => void
  onEdit: () => void
  onEnd: () => void
  /** The first of them, to copy it, says so in words. */
  inWords?: boolean
  /** What else there is to copy. */
  children?: ReactNode
}

/** What one does with a link of one's own. */
export function ShareDeeds({ name, copy, onVisits, onEdit, onEnd, inWords = false, children }: ShareDeedsProps) {
  const icon = { size: 16, strokeWidth: 1.75 }
  return (
    <>
      {inWords ? (
        <CopyButton label={`${t('visit.copy')} ${name}`} word={t('visit.copy')} icon={Link2} copy={copy} />
      ) : (
        <CopyButton label={t('share.copy', { hash: name })} icon={Link2} copy={copy} />
      )}
      {children}
      <IconButton size="small" label={t('share.visits-of', { hash: name })} icon={<History {...icon} />} onClick={onVisits} />
      <IconButton size="small" label={t('share.edit-one', { hash: name })} icon={<Pencil {...icon} />} onClick={onEdit} />
      <IconButton size="small" variant="danger" label={t('share.delete-one', { hash: name })} icon={<Trash2 {...icon} />} onClick={onEnd} />
    </>
  )
}

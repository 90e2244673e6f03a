import { FileLock } from 'lucide-react'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** In place of a text whose content the server does not give to this user. */
export function Unreadable({ onClose }: { onClose: () => void }) {
  return (
    <EmptyState picture={<FileLock size={64} strokeWidth={1.25} />} title={t('files.unreadable.title')} text={t('files.unreadable.text')}>
      <Button label={t('action.close')} onClick={onClose} />
    </EmptyState>
  )
}

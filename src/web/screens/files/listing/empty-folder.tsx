import { FolderPlus, Upload } from 'lucide-react'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useMedia } from '../../../ui/use-media.ts'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import type { ActionProps } from '../menu-entries.ts'

export function EmptyFolder({ available, onAction }: ActionProps) {
  const mayFill = available('new-folder')
  // Touch screens cannot drag and drop.
  const touch = useMedia('(pointer: coarse) and (hover: none)')
  return (
    <div className="centered grow scroll">
      <EmptyState
        picture={<EntryIcon name="" type="" isDir size={88} />}
        title={t('files.empty.title')}
        text={mayFill ? t(touch ? 'files.empty.touch' : 'files.empty.text') : undefined}
      >
        {mayFill && (
          <>
            <Button label={t('files.upload')} variant="primary" size="large" icon={Upload} onClick={() => onAction('upload-files')} />
            <Button label={t('files.action.new-folder')} size="large" icon={FolderPlus} onClick={() => onAction('new-folder')} />
          </>
        )}
      </EmptyState>
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import type { PromptProps } from '../../../data/prompts.ts'
import { historyQuery } from '../../../data/versions.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { Loading } from '../../../widgets/loading.tsx'
import { History } from './history.tsx'

/** What a file held before: a list on the side, and in view what is chosen. */
export function VersionsDialog({ file, unsaved, onAnswer, onDismiss }: PromptProps<'versions'>) {
  const { data, error, refetch } = useQuery(historyQuery(file.path))
  return (
    <Dialog
      title={t('files.action.versions')}
      description={<bdi>{displayName(file.name)}</bdi>}
      size="window"
      full
      closeLabel={t('action.close')}
      onDismiss={onDismiss}
    >
      {data !== undefined ? (
        <History file={file} {...data} unsaved={unsaved} onRestore={onAnswer} />
      ) : error === null ? (
        <Loading height="100%" size={28} />
      ) : (
        <EmptyState title={errorText(error)}>
          <Button icon={RotateCw} label={t('action.retry')} onClick={() => void refetch()} />
        </EmptyState>
      )}
    </Dialog>
  )
}

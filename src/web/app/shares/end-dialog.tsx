import { notify } from '../../data/notices.ts'
import type { PromptProps } from '../../data/prompts.ts'
import { useEndShare } from '../../data/shares.ts'
import { t } from '../../i18n/i18n.tsx'
import { ConfirmDialog } from '../confirm-dialog.tsx'

/** Confirms the deletion of a share link. The link disappears from every list at once. */
export function ShareEndDialog({ share, onAnswer, onDismiss }: PromptProps<'share-end'>) {
  const end = useEndShare({ onSuccess: () => notify({ tone: 'success', text: t('share.deleted') }) })
  const onYes = () => {
    end.mutate(share)
    onAnswer(true)
  }
  return (
    <ConfirmDialog
      title={t('share.delete.title')}
      text={t('share.delete.text')}
      confirmLabel={t('share.delete')}
      danger
      onAnswer={onYes}
      onDismiss={onDismiss}
    />
  )
}

import type { PromptProps } from '../../../data/prompts.ts'
import { formatCounts } from '../../../i18n/counts.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import styles from './delete-dialog.module.css'
import { DialogActions } from '../../../widgets/dialog-actions.tsx'
import { type Content, useContent } from './use-content.ts'

/** Confirms a deletion and shows what is deleted. Cancel has initial focus, so that Enter does not delete by accident (decision 040). */
export function DeleteDialog({ names, content, onAnswer, onDismiss }: PromptProps<'delete'>) {
  const [first = ''] = names
  return (
    <Dialog
      title={
        names.length === 1 ? t('files.delete.title.one', { name: displayName(first) }) : t('files.delete.title', { count: names.length })
      }
      description={t('files.delete.text')}
      size="small"
      onDismiss={onDismiss}
      actions={<DialogActions onCancel={onDismiss} submit={t('files.action.delete')} onDanger={() => onAnswer(true)} />}
    >
      {content !== null && <Holds content={content} />}
    </Dialog>
  )
}

/** What is deleted: known counts at once, folder contents as they are counted. */
function Holds({ content }: { content: Content }) {
  const { sum, state } = useContent(content)
  if (typeof state === 'object') return null
  const counting = state === 'counting'
  const isNew = sum.files + sum.folders > content.besides.files + content.besides.folders
  return (
    <p className={styles.content} role="status" aria-busy={counting} data-part="delete-content">
      {counting && <Spinner size={14} />}
      {counting && !isNew ? (
        t('files.delete.counting')
      ) : (
        <bdi>{t('files.delete.holds', { counts: formatCounts(sum), size: formatBytes(sum.bytes) })}</bdi>
      )}
    </p>
  )
}

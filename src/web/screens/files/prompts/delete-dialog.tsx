import type { PromptProps } from '../../../data/prompts.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { displayName } from '../../../widgets/display-name.ts'

/** Names the one thing, or the count; Enter confirms. */
export function DeleteDialog({ names, onAnswer, onDismiss }: PromptProps<'delete'>) {
  const [first = ''] = names
  return (
    <Dialog
      title={
        names.length === 1 ? t('files.delete.title.one', { name: displayName(first) }) : t('files.delete.title', { count: names.length })
      }
      description={t('files.delete.text')}
      size="small"
      onDismiss={onDismiss}
      onSubmit={() => onAnswer(true)}
      actions={
        <>
          <Button variant="quiet" onClick={onDismiss}>
            {t('action.cancel')}
          </Button>
          <Button variant="danger" type="submit" data-autofocus>
            {t('files.action.delete')}
          </Button>
        </>
      }
    />
  )
}

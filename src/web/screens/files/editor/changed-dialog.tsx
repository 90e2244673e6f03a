import type { PromptProps } from '../../../data/prompts.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

/** The file was changed by someone else: overwrite, reload, save a copy, or cancel. Enter overwrites only on the button that says so (decision 040). */
export function ChangedDialog({ name, mayCopy, onAnswer, onDismiss }: PromptProps<'changed-file'>) {
  return (
    <Dialog
      title={t('editor.changed.title', { name })}
      description={t('editor.changed.text')}
      onDismiss={onDismiss}
      actions={
        <>
          <Button variant="quiet" onClick={onDismiss} data-autofocus>
            {t('editor.changed.keep')}
          </Button>
          {mayCopy && <Button onClick={() => onAnswer('copy')}>{t('editor.changed.copy')}</Button>}
          <Button onClick={() => onAnswer('reload')}>{t('editor.changed.reload')}</Button>
          <Button variant="danger" onClick={() => onAnswer('overwrite')}>
            {t('editor.changed.overwrite')}
          </Button>
        </>
      }
    />
  )
}

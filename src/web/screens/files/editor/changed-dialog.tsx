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
          <Button label={t('editor.changed.keep')} variant="quiet" onClick={onDismiss} data-autofocus />
          {mayCopy && <Button label={t('editor.changed.copy')} onClick={() => onAnswer('copy')} />}
          <Button label={t('editor.changed.reload')} onClick={() => onAnswer('reload')} />
          <Button label={t('editor.changed.overwrite')} variant="danger" onClick={() => onAnswer('overwrite')} />
        </>
      }
    />
  )
}

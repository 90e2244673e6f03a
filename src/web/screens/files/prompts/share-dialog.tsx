import { useState } from 'react'
import { nameOf, ROOT } from '../../../../shared/file-path.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { useSharesOf } from '../../../data/shares.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { NewShareForm } from './new-share-form.tsx'
import { DialogActions } from '../../../widgets/dialog-actions.tsx'
import { ShareList } from './share-list.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import { useNewShare } from './use-new-share.ts'

/** The links of an entry; if there are none, the form for the first. */
export function ShareDialog({ path, isDir, onDismiss }: PromptProps<'share'>) {
  const { shares, error } = useSharesOf(path)
  const [wished, setWished] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const form = useNewShare(path, {
    onMade({ hash }) {
      setMade(hash)
      setWished(false)
    },
  })
  const none = shares?.length === 0
  const making = wished || none

  return (
    <Dialog
      title={t('share.title', { name: path === ROOT ? t('files.root') : displayName(nameOf(path)) })}
      size="wide"
      onDismiss={onDismiss}
      onSubmit={making ? form.submit : undefined}
      busy={form.busy}
      actions={
        making ? (
          <DialogActions
            onCancel={none ? onDismiss : () => setWished(false)}
            cancel={none ? undefined : t('share.back')}
            submit={t('share.create')}
            busy={form.busy}
          />
        ) : (
          <>
            <Button label={t('action.close')} variant="quiet" onClick={onDismiss} />
            {shares !== null && <Button label={t('share.new')} onClick={() => setWished(true)} />}
          </>
        )
      }
    >
      {making ? (
        <NewShareForm form={form} isDir={isDir} />
      ) : shares !== null ? (
        <ShareList shares={shares} made={made} />
      ) : error === null ? (
        <Loading height="72px" />
      ) : (
        <div role="alert">
          <FieldMessage tone="error" text={errorText(error)} />
        </div>
      )}
    </Dialog>
  )
}

import { useState } from 'react'
import { nameOf, ROOT } from '../../../../shared/file-path.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { useSharesOf } from '../../../data/shares.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { DialogActions } from '../../../widgets/dialog-actions.tsx'
import { ShareList } from './share-list.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import { type NewShareState, useNewShare } from './use-new-share.ts'
import { shareLink } from '../../../data/share-links.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { PasswordField } from '../../../widgets/password-field.tsx'
import { ExpiryField } from '../../../widgets/expiry-field.tsx'
import { ShareOptions } from '../../../widgets/share-options.tsx'

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

/** Expiry and password of a new link; other options are collapsed. */
function NewShareForm({ form, isDir }: { form: NewShareState; isDir: boolean }) {
  const { lasting, password, draft, tried, takenSlug, error } = form
  return (
    <div className="grid gap-6">
      <ExpiryField expiry={lasting} tried={tried} onExpiry={form.changeLasting} />
      <PasswordField
        label={t('share.password')}
        hint={t('share.password.hint')}
        autoComplete="new-password"
        value={password}
        onValue={form.changePassword}
      />
      <Disclosure label={t('share.more')}>
        <ShareOptions draft={draft} onChange={form.changeDraft} isDir={isDir} linkOf={shareLink} takenSlug={takenSlug} />
      </Disclosure>
      <div role="alert">{error !== null && <FieldMessage tone="error" text={errorText(error)} />}</div>
    </div>
  )
}

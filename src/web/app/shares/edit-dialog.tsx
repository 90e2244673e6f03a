import { useState } from 'react'
import { isAppError } from '../../../shared/errors.ts'
import { notify } from '../../data/notices.ts'
import type { PromptProps } from '../../data/prompts.ts'
import { nameOfShare, shareLink } from '../../data/share-links.ts'
import { useChangeShare } from '../../data/shares.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldMessage } from '../../ui/field.tsx'
import { PasswordField } from '../../widgets/password-field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { durationOf, type Expiry } from '../../widgets/expiry.ts'
import { draftOf, problemsOf, changesIn } from '../../widgets/share-draft.ts'
import { ExpiryField } from '../../widgets/expiry-field.tsx'
import { ShareOptions } from '../../widgets/share-options.tsx'
import { DialogActions } from '../../widgets/dialog-actions.tsx'

/** Edits the options of a share link; unchanged options are not sent. */
export function ShareEditDialog({ share, onAnswer, onDismiss }: PromptProps<'share-edit'>) {
  const [draft, setDraft] = useState(() => draftOf(share))
  const [lasting, setLasting] = useState<Expiry>({ term: share.expire === 0 ? 'never' : 'keep', date: '' })
  const [locked, setLocked] = useState(share.hasPassword)
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const change = useChangeShare()
  const taken = isAppError(change.error, 'already-exists') ? change.error.detail.path : null
  const lacksPassword = locked && !share.hasPassword && password.trim() === ''

  const submit = () => {
    setTried(true)
    const duration = durationOf(lasting, new Date())
    if (duration === null || lacksPassword || Object.keys(problemsOf(draft)).length > 0) return
    const staysSo = lasting.term === 'keep' || (lasting.term === 'never' && share.expire === 0)
    const newPassword = locked ? password.trim() : ''
    const body = {
      ...changesIn(draft, share),
      // In the API a link that never expires has the duration 0; an empty duration means unchanged.
      ...(!staysSo && { expires: duration.expires === '' ? '0' : duration.expires, unit: duration.unit }),
      ...((newPassword !== '' || (!locked && share.hasPassword)) && { password: newPassword }),
    }
    if (Object.keys(body).length === 0) return onDismiss()
    change.mutate(
      { hash: share.hash, change: body },
      {
        onSuccess: () => {
          notify({ tone: 'success', text: t('share.changed') })
          onAnswer(true)
        },
      },
    )
  }
  return (
    <Dialog
      title={t('share.edit', { name: nameOfShare(share) })}
      size="wide"
      onDismiss={onDismiss}
      onSubmit={submit}
      busy={change.isPending}
      actions={<DialogActions onCancel={onDismiss} submit={t('share.save')} busy={change.isPending} />}
    >
      <div className="grid gap-6 shrinkable">
        <ExpiryField expiry={lasting} tried={tried} onExpiry={setLasting} before={share.expire} />
        <div className="grid gap-3">
          <Switch label={t('share.locked')} checked={locked} onChecked={setLocked} />
          {locked && (
            <PasswordField
              label={t(share.hasPassword ? 'share.password.new' : 'share.password.wanted')}
              hint={share.hasPassword ? t('share.password.keep') : undefined}
              error={tried && lacksPassword ? t('share.password.missing') : null}
              autoComplete="new-password"
              value={password}
              onValue={setPassword}
            />
          )}
        </div>
        <ShareOptions
          draft={draft}
          onChange={(fields) => setDraft({ ...draft, ...fields })}
          isDir={share.path.endsWith('/')}
          linkOf={shareLink}
          takenSlug={taken}
        />
        <div role="alert">{change.error !== null && taken === null && <FieldMessage tone="error" text={errorText(change.error)} />}</div>
      </div>
    </Dialog>
  )
}

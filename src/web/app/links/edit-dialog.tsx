import { useState } from 'react'
import type { ShareUnit } from '../../../shared/contract/shares.ts'
import { isAppError } from '../../../shared/errors.ts'
import { notify } from '../../data/notices.ts'
import type { PromptProps } from '../../data/prompts.ts'
import { nameOfShare, shareLink } from '../../data/share-links.ts'
import { useChangeShare } from '../../data/shares.ts'
import { formatMoment } from '../../i18n/format.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldMessage } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { isDuration } from '../../widgets/lasting.ts'
import { draftOf, problemsOf, wishOf } from '../../widgets/share-draft.ts'
import { ShareLasting } from '../../widgets/share-lasting.tsx'
import { ShareOptions } from '../../widgets/share-options.tsx'
import styles from './links.module.css'

/** The terms of a link, to be changed; what is not touched stays. */
export function ShareEditDialog({ share, onAnswer, onDismiss }: PromptProps<'share-edit'>) {
  const [draft, setDraft] = useState(() => draftOf(share))
  const [lasting, setLasting] = useState<{ expires: string; unit: ShareUnit }>({ expires: '', unit: 'hours' })
  const [locked, setLocked] = useState(share.hasPassword)
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const change = useChangeShare()
  const taken = isAppError(change.error, 'already-exists') ? change.error.detail.path : null
  const bad = !isDuration(lasting.expires) || (locked && !share.hasPassword && password.trim() === '')

  const submit = () => {
    setTried(true)
    if (bad || Object.keys(problemsOf(draft)).length > 0) return
    const expires = lasting.expires.trim()
    const newPassword = locked ? password.trim() : ''
    const body = {
      ...wishOf(draft, share),
      ...(expires !== '' && { expires, unit: lasting.unit }),
      ...((newPassword !== '' || (!locked && share.hasPassword)) && { password: newPassword }),
    }
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
      actions={
        <>
          <Button variant="quiet" onClick={onDismiss}>
            {t('action.cancel')}
          </Button>
          <Button variant="primary" type="submit" busy={change.isPending}>
            {t('share.save')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <ShareLasting
          {...lasting}
          tried={tried}
          onChange={(fields) => setLasting({ ...lasting, ...fields })}
          untouched={share.expire === 0 ? t('share.keeps.always') : t('share.keeps.until', { end: formatMoment(share.expire) })}
        />
        <div className={styles.lock}>
          <Switch label={t('share.locked')} checked={locked} onChecked={setLocked} />
          {locked && (
            <PasswordField
              label={t(share.hasPassword ? 'share.password.new' : 'share.password.wanted')}
              hint={share.hasPassword ? t('share.password.keep') : undefined}
              error={tried && !share.hasPassword && password.trim() === '' ? t('share.password.missing') : null}
              autoComplete="new-password"
              revealLabel={t('login.reveal')}
              concealLabel={t('login.conceal')}
              capsLockHint={t('login.caps-lock')}
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

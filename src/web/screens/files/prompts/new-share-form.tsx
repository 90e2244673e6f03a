import { useState } from 'react'
import { SHARE_UNITS, type ShareUnit } from '../../../../shared/contract/shares.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { MAX_SHARE_DURATION } from '../../../../shared/limits.ts'
import { useMakeShare } from '../../../data/shares.ts'
import { formatMoment } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { endOf, isDuration } from './share-lasting.ts'
import styles from './share-dialog.module.css'

export interface NewShareFormProps {
  title: string
  path: FilePath
  onMade: () => void
  /** To the links there are; null where there are none. */
  onBack: (() => void) | null
  onDismiss: () => void
}

/** How long a new link lasts, and whether it asks for a password. Empty or 0 lasts for ever (spec §5). */
export function NewShareForm({ title, path, onMade, onBack, onDismiss }: NewShareFormProps) {
  const [expires, setExpires] = useState('')
  const [unit, setUnit] = useState<ShareUnit>('hours')
  const [password, setPassword] = useState('')
  const [complaint, setComplaint] = useState<string | null>(null)
  const make = useMakeShare(path)

  const submit = () => {
    if (!isDuration(expires)) return setComplaint(t('share.bad-duration', { most: MAX_SHARE_DURATION }))
    setComplaint(null)
    make.mutate({ expires: expires.trim(), unit, password: password.trim() }, { onSuccess: onMade })
  }
  return (
    <Dialog
      title={title}
      size="wide"
      onDismiss={onDismiss}
      onSubmit={submit}
      busy={make.isPending}
      actions={
        <>
          <Button variant="quiet" onClick={onBack ?? onDismiss}>
            {t(onBack === null ? 'action.cancel' : 'share.back')}
          </Button>
          <Button variant="primary" type="submit" busy={make.isPending}>
            {t('share.create')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <div className={styles.lasting}>
          <TextField
            label={t('share.duration')}
            inputMode="numeric"
            pattern="[0-9]*"
            min={1}
            max={MAX_SHARE_DURATION}
            autoComplete="off"
            data-autofocus=""
            value={expires}
            onValue={setExpires}
            error={complaint}
            hint={isDuration(expires) ? lasting(endOf(expires, unit, new Date())) : undefined}
          />
          <Select
            label={t('share.unit')}
            value={unit}
            options={SHARE_UNITS.map((value) => ({ value, label: t(`share.unit.${value}`) }))}
            onValue={setUnit}
          />
        </div>
        <PasswordField
          label={t('share.password')}
          hint={t('share.password.hint')}
          autoComplete="new-password"
          revealLabel={t('login.reveal')}
          concealLabel={t('login.conceal')}
          capsLockHint={t('login.caps-lock')}
          value={password}
          onValue={setPassword}
        />
        <div role="alert">{make.error !== null && <FieldMessage tone="error" text={errorText(make.error)} />}</div>
      </div>
    </Dialog>
  )
}

/** In plain words, before it is made (ux 64). */
function lasting(end: number): string {
  return end === 0 ? t('share.lasts.always') : t('share.lasts.until', { end: formatMoment(end) })
}

import { SHARE_UNITS } from '../../../../shared/contract/shares.ts'
import { MAX_SHARE_DURATION } from '../../../../shared/limits.ts'
import { formatMoment } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import styles from './share-dialog.module.css'
import { endOf, isDuration } from './share-lasting.ts'
import type { NewShareState } from './use-new-share.ts'

/** How long a new link lasts, and whether it asks for a password. Empty or 0 lasts for ever (spec §5). */
export function NewShareForm({ form: { wish, change, badDuration, error } }: { form: NewShareState }) {
  const { expires, unit, password } = wish
  return (
    <div className={styles.form}>
      <div className={styles.lasting}>
        <TextField
          label={t('share.duration')}
          inputMode="numeric"
          autoComplete="off"
          autoFocus
          data-autofocus=""
          value={expires}
          onValue={(typed) => change({ expires: typed })}
          error={badDuration ? t('share.bad-duration', { most: MAX_SHARE_DURATION }) : null}
          hint={isDuration(expires) ? lasting(endOf(expires, unit, new Date())) : undefined}
        />
        <Select
          label={t('share.unit')}
          value={unit}
          options={SHARE_UNITS.map((value) => ({ value, label: t(`share.unit.${value}`) }))}
          onValue={(chosen) => change({ unit: chosen })}
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
        onValue={(typed) => change({ password: typed })}
      />
      <div role="alert">{error !== null && <FieldMessage tone="error" text={errorText(error)} />}</div>
    </div>
  )
}

/** In plain words, before it is made (ux 64). */
function lasting(end: number): string {
  return end === 0 ? t('share.lasts.always') : t('share.lasts.until', { end: formatMoment(end) })
}

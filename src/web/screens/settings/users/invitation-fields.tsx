import { t } from '../../../i18n/i18n.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'

/** Whether a new user is invited by a link instead of a first password, and where it is sent. */
export interface Invitation {
  readonly isOn: boolean
  /** Empty to copy the link only. */
  readonly address: string
}

export function InvitationFields({
  invitation,
  error,
  onChange,
}: {
  invitation: Invitation
  error: string | null
  onChange: (invitation: Invitation) => void
}) {
  const { isOn, address } = invitation
  return (
    <>
      <Switch label={t('invite.switch')} hint={t('invite.hint')} checked={isOn} onChecked={(on) => onChange({ ...invitation, isOn: on })} />
      {isOn && (
        <TextField
          label={t('mail.address')}
          hint={t('invite.address.hint')}
          verbatim
          dir="ltr"
          type="email"
          name="new-address"
          autoComplete="off"
          value={address}
          error={error}
          onValue={(value) => onChange({ ...invitation, address: value })}
        />
      )}
    </>
  )
}

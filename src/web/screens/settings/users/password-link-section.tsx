import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { isAppError } from '../../../../shared/errors.ts'
import type { User } from '../../../../shared/contract/users.ts'
import { useMailAddress } from '../../../data/mail.ts'
import { useMakeLink } from '../../../data/password-links.ts'
import { ask } from '../../../data/prompts.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { Section } from '../section.tsx'

/** A user's address, and a link by which they choose a password, for administrators. Saved on its own, not with the surrounding form. */
export function PasswordLinkSection({ user: { id, username } }: { user: User }) {
  const known = useMailAddress(id)
  const make = useMakeLink()
  const [typed, setTyped] = useState<string | null>(null)
  const address = typed ?? known?.address ?? ''
  const name = displayName(username)
  const create = () =>
    make.mutate(
      { userId: id, address: address.trim() === (known?.address ?? '') ? undefined : address.trim() },
      { onSuccess: (link) => link !== null && void ask('passwordLink', { username, link }) },
    )
  return (
    <Section title={t('invite.again.title')} text={t('invite.again.text', { name })}>
      <TextField
        label={t('mail.address')}
        hint={known?.isOn === false ? t('invite.no-mail') : t('invite.address.hint')}
        verbatim
        dir="ltr"
        type="email"
        name="address"
        autoComplete="off"
        value={address}
        error={isAppError(make.error, 'invalid-input') ? t('mail.address.wrong') : null}
        onValue={(value) => {
          setTyped(value)
          make.reset()
        }}
        onKeyDown={(event) => {
          // Enter must not submit the surrounding form.
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
      <div>
        <Button label={t('invite.again')} icon={KeyRound} size="small" busy={make.isPending} onClick={create} />
      </div>
    </Section>
  )
}

import { type FormEvent, useState } from 'react'
import { isAppError } from '../../../../shared/errors.ts'
import { useMailAddress, useSaveMailAddress } from '../../../data/mail.ts'
import { notify } from '../../../data/notices.ts'
import { useUser } from '../../../data/session.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import styles from './profile-form.module.css'

/** The user's own address for mail; nothing where no mail is sent. */
export function MailCard() {
  const { id } = useUser()
  const known = useMailAddress(id)
  const save = useSaveMailAddress(id)
  const [typed, setTyped] = useState<string | null>(null)
  if (known === undefined || (!known.isOn && known.address === '')) return null
  const address = typed ?? known.address
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    save.mutate(address.trim(), {
      onSuccess(saved) {
        if (saved === null) return
        setTyped(null)
        if (saved.waiting === '') notify({ tone: 'success', text: t('mail.address.saved') })
      },
    })
  }
  return (
    <Card title={t('mail.address')} text={t('mail.address.text')}>
      <form className="grid gap-6" onSubmit={submit} noValidate>
        <TextField
          label={t('mail.address')}
          labelHidden
          verbatim
          dir="ltr"
          type="email"
          name="email"
          autoComplete="email"
          value={address}
          hint={known.waiting === '' ? undefined : t('mail.address.waiting', { address: `\u2068${known.waiting}\u2069` })}
          error={isAppError(save.error, 'invalid-input') ? t('mail.address.wrong') : null}
          onValue={(value) => {
            setTyped(value)
            save.reset()
          }}
        />
        <div className={styles.actions}>
          <Button label={t('mail.address.save')} type="submit" variant="primary" busy={save.isPending} />
        </div>
      </form>
    </Card>
  )
}

import type { FormEvent } from 'react'
import { useForgetDevices } from '../../../data/devices.ts'
import { pageConfig } from '../../../data/page-config.ts'
import { notify } from '../../../data/notices.ts'
import { changeOwnPassword } from '../../../data/password.ts'
import { useUser } from '../../../data/session.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { NewPasswordFields } from '../../../widgets/new-password-fields.tsx'
import { useNewPassword } from '../../../widgets/new-password.ts'
import styles from './profile-form.module.css'

/** Changes the user's own password. */
export function PasswordCard() {
  const { username } = useUser()
  const forgetDevices = useForgetDevices()
  const form = useNewPassword({
    minimumLength: pageConfig.MinimumPasswordLength,
    save: changeOwnPassword,
    onSaved() {
      forgetDevices()
      notify({ tone: 'success', text: t('settings.password.updated') })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.submit()
  }
  return (
    <Card title={t('settings.password')} text={`${t('settings.password.text')} ${t('tokens.password')}`}>
      <form className="grid gap-6" onSubmit={submit} noValidate>
        <NewPasswordFields username={username} form={form} />
        <div className={styles.actions}>
          <Button label={t('settings.password.submit')} type="submit" variant="primary" busy={form.busy} />
        </div>
      </form>
    </Card>
  )
}
